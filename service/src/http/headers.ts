/** Rules on headers that hold for every request, before anything is decided on their values. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../domain/fault.ts'

/** Node joins or drops repeats, and a proxy in front may keep the other one: the two would disagree on who asks. */
const UNIQUE = new Set([
  'authorization',
  'x-tenant-id',
  'x-tenant-api-key',
  'content-length',
  'content-type',
  'host',
])

/** A key that was put into the wrong header must not be echoed and logged with every line. */
const LOOKS_LIKE_A_KEY = /ck_[tai]_/

/** A weight of zero. */
const NOT_WANTED = /^q=0(?:\.0{0,3})?$/

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

export function refuseDuplicateHeaders(rawHeaders: readonly string[]): void {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    if (!UNIQUE.has(name)) continue
    if (seen.has(name)) throw new Fault('duplicate_header', { internal: `${name} was sent twice` })
    seen.add(name)
  }
}

/** RFC 9112: a request of HTTP/1.1 without a Host header is answered with 400. */
export function requireHost({ headers, httpVersion }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined)
    throw new Fault('malformed_request', { internal: 'no Host header', headers: { connection: 'close' } })
}

/** A compressed body could be a bomb, and no client of ours sends one. */
export function refuseEncodedBody(method: string, encoding: string | undefined): void {
  if (method === 'GET' || method === 'HEAD') return
  if (encoding !== undefined && encoding !== 'identity') throw new Fault('unsupported_media_type')
}

/** The caller's own id where it is harmless to log, a fresh one otherwise. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  const harmless = typeof sent === 'string' && REQUEST_ID.test(sent) && !LOOKS_LIKE_A_KEY.test(sent)
  return harmless ? sent : randomUUID()
}

/** The first of those offered that an Accept-Encoding header allows; undefined where the answer is to be sent as it is. */
export function preferredEncoding<Name extends string>(
  header: string | string[] | undefined,
  offered: readonly Name[],
): Name | undefined {
  const allowed = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [name = '', ...parameters] = each.split(';').map((part) => part.trim())
        return [name, !parameters.some((parameter) => NOT_WANTED.test(parameter))] as const
      }),
  )
  return offered.find((name) => allowed.get(name) ?? allowed.get('*') ?? false)
}

/** Whether an Accept header allows one of the media types; a missing header allows everything. */
export function accepts(header: string | undefined, offered: readonly string[]): boolean {
  if (header === undefined || header.trim() === '') return true
  return header.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (parameters.some((parameter) => NOT_WANTED.test(parameter))) return false
    return offered.some((each) => type === '*/*' || type === each || type === `${each.split('/')[0]}/*`)
  })
}
