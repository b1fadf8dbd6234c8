/** Bodies that are files: taken as their bytes, by the routes that want them and no others. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { Fault } from '../domain/fault.ts'
import { hasBody } from './body-deadline.ts'

/** A file without Content-Type is taken too: its name or the query may say what it is. */
export function acceptFiles(server: FastifyInstance): void {
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { config, bodyLimit } = request.routeOptions
    // Many clients send a Content-Type with a body of no bytes. It is no body then, whatever its type.
    if (!config.fileTypes && !hasBody(request.raw)) return undefined
    const media = mediaTypeOf(request.headers['content-type'])
    if (!config.fileTypes || (media !== undefined && !config.fileTypes.includes(media)))
      throw new Fault('unsupported_media_type')
    request.rawBody = await readBytes(
      payload,
      Number(request.headers['content-length'] ?? NaN),
      bodyLimit ?? 0,
    )
    return request.rawBody
  })
}

/** Without its parameters. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase() || undefined
}

/** Whatever becomes of it, the stream is not destroyed: the answer goes over the same connection. */
async function readBytes(payload: Readable, announced: number, limit: number): Promise<Buffer> {
  if (announced > limit) throw new Fault('payload_too_large')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const pieces: Buffer[] = []
  let length = 0
  payload.on('data', (piece: Buffer) => {
    length += piece.length
    if (length <= limit) return void pieces.push(piece)
    pieces.length = 0
    payload.removeAllListeners('data')
    payload.pause()
    reject(new Fault('payload_too_large'))
  })
  payload.once('end', () => resolve(Buffer.concat(pieces, length)))
  payload.once('error', reject)
  payload.once('close', () => reject(new Fault('malformed_request', { internal: 'the client is gone' })))
  return promise
}
