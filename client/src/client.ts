/** Builds the client: one method for each row of the table, and what goes beyond single calls. */
import { UnexpectedAnswer } from './errors.ts'
import type { Methods } from './generated/methods.ts'
import { operations } from './generated/operations.ts'
import type { OperationName } from './generated/operations.ts'
import type { Input, OperationRow } from './operation-row.ts'
import { settingsOf } from './options.ts'
import type { ClientOptions, RequestOptions, Settings } from './options.ts'
import { eachItem } from './paging.ts'
import { prepare } from './repeating.ts'
import { buildRequest, sendOnce } from './requests.ts'
import type { RawAnswer } from './requests.ts'
import { withAttempts } from './retrying.ts'
import { openEventStream } from './streaming.ts'
import type { StreamOptions } from './streaming.ts'
import { createWaiting } from './waiting.ts'
import type { Waiting } from './waiting.ts'

/** A client: a method for each operation of the service, and waiting for documents. */
export interface Concord extends Methods, Waiting {}

/**
 * Makes a client. Nothing is sent until a method is called. Pass the keys that you hold: which of them a method sends, and
 * in which header, is its own business.
 *
 * @example
 * const concord = createClient({
 *   baseUrl: env.CONCORD_URL,
 *   tenantId: env.TENANT_ID,
 *   tenantKey: env.TENANT_KEY,
 * })
 * const { items } = await concord.listOwnScopes()
 * console.log(items.length)
 */
export function createClient(options: ClientOptions): Concord {
  const settings = settingsOf(options)
  const names = Object.keys(operations).filter((name): name is OperationName => name in operations)
  const methods = Object.fromEntries(names.map((name) => [name, methodOf(settings, name)]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the interface and the table are written from the same rows
  const concord = methods as unknown as Methods
  return { ...concord, ...createWaiting(concord) }
}

function methodOf(settings: Settings, name: OperationName): unknown {
  const row: OperationRow = operations[name]
  if (row.reads === 'events')
    return (input: Input = {}, options?: StreamOptions) => openEventStream(settings, row, input, options)
  const raw = async (input: Input = {}, options?: RequestOptions) => call(settings, name, input, options)
  const plain = async (input?: Input, options?: RequestOptions) => bodyOf(await raw(input, options))
  const all = (input: Input = {}, options?: RequestOptions) => eachItem((page) => plain(page, options), input)
  return Object.assign(plain, row.query.includes('cursor') ? { raw, all } : { raw })
}

async function call(
  settings: Settings,
  name: OperationName,
  given: Input,
  options: RequestOptions = {},
): Promise<RawAnswer<unknown>> {
  const { retry, attemptTimeoutMs } = settings
  const { signal, attempts = retry.attempts } = options
  const { input, headers, repeatable } = prepare(name, operations[name], given, options.headers)
  const request = buildRequest(settings, operations[name], input, headers)
  const long = longer[name]
  const timeoutMs = options.timeoutMs ?? long?.callMs ?? settings.timeoutMs
  const attemptMs =
    long === undefined ? attemptTimeoutMs : Math.max(attemptTimeoutMs, long.attemptMs ?? timeoutMs)
  return withAttempts({ policy: { ...retry, attempts }, timeoutMs, repeatable, signal }, (remainingMs) =>
    sendOnce(settings, request, Math.min(attemptMs, remainingMs), signal),
  )
}

interface LongTimes {
  readonly callMs: number
  /** The time of the whole call if it is left out. */
  readonly attemptMs?: number
}

/**
 * These take as long as there is to erase, or to read. The service waits a minute for the bytes of a file and then reads it; an
 * attempt that ended earlier would send the same bytes again and again.
 */
const longer: Partial<Record<OperationName, LongTimes>> = {
  resetScope: { callMs: 600_000 },
  deleteScope: { callMs: 600_000 },
  exportScope: { callMs: 600_000 },
  ingestFile: { callMs: 600_000, attemptMs: 180_000 },
}

/** That nothing changed is for those to know who asked for it, by `raw` and If-None-Match. */
function bodyOf({ status, body }: RawAnswer<unknown>): unknown {
  if (status === 304) throw new UnexpectedAnswer(status, 'not modified; call `raw` to send If-None-Match')
  return body
}
