/** One request and its answer: address, credentials and body on the way out; answer, problem or failure on the way in. */
import {
  ConcordError,
  ConcordProblem,
  ConnectionFailed,
  CredentialMissing,
  TimedOut,
  UnexpectedAnswer,
} from './errors.ts'
import type { Problem } from './generated/schemas.ts'
import type { Input, OperationRow } from './operation-row.ts'
import type { Settings } from './options.ts'
import { linkSignal } from './pausing.ts'

/** An answer with its status and headers. */
export interface RawAnswer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

export interface ClientRequest {
  readonly url: string
  readonly init: RequestInit
  readonly row: OperationRow
}

export function buildRequest(
  settings: Settings,
  row: OperationRow,
  input: Input,
  headers: Readonly<Record<string, string>> = {},
): ClientRequest {
  const { path, rest } = fillPath(row.path, input)
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined || (row.file && name === 'file')) continue
    if (row.query.includes(name)) query.set(name, wireText(value))
    else body[name] = value
  }
  const hasBody = row.body && Object.keys(body).length > 0
  const search = query.toString()
  return {
    url: `${settings.baseUrl.replace(/\/+$/, '')}${path}${search && `?${search}`}`,
    row,
    init: {
      method: row.method,
      headers: requireSendable({
        ...settings.headers,
        accept: accepted[row.reads],
        ...credentials(settings, row, input),
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(row.file && { 'content-type': 'application/octet-stream' }),
        ...headers,
      }),
      ...(hasBody && { body: JSON.stringify(body) }),
      ...(row.file && { body: fileOf(rest) }),
      // A key must not travel to wherever an answer points.
      redirect: 'manual',
    },
  }
}

/** `fetch` refuses such a header too, but its error quotes the value, which may be a key. */
function requireSendable(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim()))
      throw new ConcordError(
        `The header ${name} cannot be sent: it has a line break or another character that no header may have. Check the key or the header that you passed.`,
      )
  return headers
}

function fileOf({ file }: Input): Uint8Array<ArrayBuffer> {
  if (file instanceof Uint8Array) return Uint8Array.from(file)
  throw new TypeError('Pass file, the bytes to send.')
}

/** Numbers, switches and lists as the service reads them. */
export function wireText(value: unknown): string {
  if (Array.isArray(value)) return value.map(wireText).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const accepted = {
  json: 'application/json',
  text: 'text/html',
  events: 'text/event-stream',
  file: '*/*',
} as const

function fillPath(template: string, input: Input): { path: string; rest: Input } {
  const rest = { ...input }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`Pass ${name}: it is part of ${template}.`)
    // However it is encoded, a URL drops such a part, and the one before it with "..": another operation would be called.
    if (value === '.' || value === '..')
      throw new TypeError(`${name} is "${value}", which no path can name. Pass another one.`)
    return encodeURIComponent(value)
  })
  return { path, rest }
}

function credentials(settings: Settings, row: OperationRow, input: Input): Record<string, string> {
  const { tenantId } = settings
  const besides = row.tenantKey === 'beside' || (row.tenantKey === 'with scope_id' && 'scope_id' in input)
  if (row.tenantId && tenantId === undefined) throw missing('tenantId', row)
  return {
    ...bearer(settings, row),
    ...(besides && { 'x-tenant-api-key': settings.tenantKey ?? fail(missing('tenantKey', row)) }),
    ...(row.bearer === 'tenant' && tenantId !== undefined && { 'x-tenant-id': tenantId }),
  }
}

function bearer(settings: Settings, row: OperationRow): Record<string, string> {
  const { tenantKey, tenantId, adminKey, internalsKey } = settings
  if (row.bearer === 'nobody') return {}
  // Behind a gateway that has proved who the tenant is, its id alone is sent.
  if (row.bearer === 'tenant' && tenantKey === undefined && tenantId !== undefined) return {}
  const key = { tenant: tenantKey, admin: adminKey ?? internalsKey, internals: internalsKey }[row.bearer]
  if (key === undefined) throw missing(`${row.bearer}Key`, row)
  return { authorization: `Bearer ${key}` }
}

function missing(option: string, { method, path }: OperationRow): CredentialMissing {
  return new CredentialMissing(`${method} ${path} needs ${option}; pass it to createClient.`)
}

function fail(error: Error): never {
  throw error
}

/** One attempt. Whatever is not an answer of this operation is thrown as what it is. */
export async function sendOnce(
  settings: Settings,
  request: ClientRequest,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<RawAnswer<unknown>> {
  const linked = linkSignal(signal)
  const timer = setTimeout(() => linked.abort(new TimedOut(`No answer within ${Math.round(ms)} ms.`)), ms)
  try {
    const response = await settings.fetch(request.url, { ...request.init, signal: linked.signal })
    return await readAnswer(response, request.row)
  } catch (error) {
    throw describeFailure(error, linked.signal)
  } finally {
    clearTimeout(timer)
    linked.release()
  }
}

/** Names the one who ended it, where somebody did; otherwise the connection. */
export function describeFailure(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ConcordProblem || error instanceof UnexpectedAnswer) return error
  if (signal.aborted) return signal.reason
  return new ConnectionFailed('The service could not be reached, or the answer broke off.', { cause: error })
}

async function readAnswer(response: Response, row: OperationRow): Promise<RawAnswer<unknown>> {
  const { status, headers } = response
  if (status === 304) return { status, headers, body: undefined }
  if (!row.answers.includes(status) || mediaOf(response) === 'application/problem+json')
    throw await problemOf(response)
  // A sign-in page of a proxy is answered with 200 as well.
  if (row.reads === 'json' && !isJson(mediaOf(response))) throw await problemOf(response)
  return { status, headers, body: await readBody(response, row) }
}

async function readBody(response: Response, { reads }: OperationRow): Promise<unknown> {
  if (reads === 'file') return response.blob()
  return reads === 'text' ? response.text() : response.json()
}

function isJson(media: string): boolean {
  return media === 'application/json' || media.endsWith('+json')
}

export function mediaOf({ headers }: Response): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Reads an answer that is none: the problem in it, or what stands there in its place. */
export async function problemOf(response: Response): Promise<Error> {
  const text = await response.text()
  if (mediaOf(response) === 'application/problem+json') {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the media type says what it is
      const problem = JSON.parse(text) as Problem
      // Gateways send documents of this type too, but without a code of the service.
      if (typeof problem.code === 'string' && typeof problem.status === 'number')
        return new ConcordProblem(problem, retryAfterMs(response.headers.get('retry-after')))
    } catch {
      // Cut short or mangled on its way.
    }
  }
  const { status, headers } = response
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  const said = location === null ? text : `it points to ${location}`
  return new UnexpectedAnswer(status, said, retryAfterMs(headers.get('retry-after')))
}

/** Seconds, or a date. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
