/** Checks headers of every request before their values are used. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../domain/fault.ts'

/** Refuses duplicate headers. Node joins or drops them, and a proxy may keep the other value, so both could disagree on who the caller is. */
const UNIQUE = new Set([
  'authorization',
  'x-tenant-id',
  'x-tenant-api-key',
  'content-length',
  'content-type',
  'host',
])

/** A key sent in the wrong header must not be echoed and logged as a request id. */
const LOOKS_LIKE_A_KEY = /ck_[tai]_/

/** Matches a weight of zero. */
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

/** RFC 9112: an HTTP/1.1 request without a Host header is answered 400. */
export function requireHost({ headers, httpVersion }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined)
    throw new Fault('malformed_request', { internal: 'no Host header', headers: { connection: 'close' } })
}

/** Refuses compressed bodies: one could be a decompression bomb, and our clients send none. */
export function refuseEncodedBody(method: string, encoding: string | undefined): void {
  if (method === 'GET' || method === 'HEAD') return
  if (encoding !== undefined && encoding !== 'identity') throw new Fault('unsupported_media_type')
}

/** Returns the caller's request id if it is safe to log, otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  const harmless = typeof sent === 'string' && REQUEST_ID.test(sent) && !LOOKS_LIKE_A_KEY.test(sent)
  return harmless ? sent : randomUUID()
}

/** Returns the first offered encoding that Accept-Encoding allows, or undefined for none. */
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

/** True if the Accept header allows one of the media types. A missing header allows all. */
export function accepts(header: string | undefined, offered: readonly string[]): boolean {
  if (header === undefined || header.trim() === '') return true
  return header.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (parameters.some((parameter) => NOT_WANTED.test(parameter))) return false
    return offered.some((each) => type === '*/*' || type === each || type === `${each.split('/')[0]}/*`)
  })
}
