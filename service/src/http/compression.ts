/**
 * Compresses answers for callers that accept it. An answer that no cache may keep is sent as it is: it can hold a new key, and
 * the length of a compressed answer tells something about a secret beside text of an attacker (BREACH). Event streams do
 * not come by here.
 */
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { preferredEncoding } from './headers.ts'

/** A smaller response fits into one or two packets anyway. */
const MIN_BYTES = 2_048

const COMPRESSIBLE =
  /^(?:application\/(?:problem\+)?json|text\/(?:html|javascript|csv|markdown|plain))(?:;|$)/

type Compress = (body: Buffer, done: (error: Error | null, compressed: Buffer) => void) => void

const compressors = {
  br: (body, done) =>
    brotliCompress(
      body,
      {
        // The default of 11 takes a hundred times as long and saves a few percent more.
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      },
      done,
    ),
  gzip: (body, done) => gzip(body, done),
} as const satisfies Record<string, Compress>

type Encoding = keyof typeof compressors

const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/** The hook uses a callback, because it runs for every response and most responses are short. */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 304) {
      // A cache takes these headers for those of the stored answer, which can be a compressed one.
      addVary(reply, 'Accept-Encoding')
      return done(null, payload)
    }
    if (typeof payload !== 'string' || payload.length < MIN_BYTES || !isCompressible(reply))
      return done(null, payload)
    addVary(reply, 'Accept-Encoding')
    const encoding = preferredEncoding(request.headers['accept-encoding'], ENCODINGS)
    if (encoding === undefined) return done(null, payload)
    compressors[encoding](Buffer.from(payload), (error, body) => {
      if (error) return done(error)
      reply.header('content-encoding', encoding)
      weakenTag(reply)
      done(null, body)
    })
  })
}

function isCompressible(reply: FastifyReply): boolean {
  if (reply.getHeader('cache-control') === 'no-store') return false
  return COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))
}

function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  if (before === name) return
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`)
}

/** The compressed bytes differ, so the ETag becomes a weak one (RFC 9110, 8.8.1). */
function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag')
  if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`)
}
