/**
 * Event streams that resume by themselves. The position moves with each event that is handed out, and a new connection
 * begins after it: nothing is missed and nothing comes twice, however often connections end.
 */
import { openConnection } from './connection.ts'
import type { Connection } from './connection.ts'
import type { ParsedEventFrame } from './event-frames.ts'
import type { Input, OperationRow } from './operation-row.ts'
import type { RequestOptions, Settings } from './options.ts'
import { linkSignal, pause } from './pausing.ts'
import type { LinkedSignal } from './pausing.ts'
import { buildRequest, wireText } from './requests.ts'
import { isPassing, pauseBefore, withAttempts } from './retrying.ts'

/**
 * The log cannot go on from the position that was asked for, for example after the service was restored from a backup.
 * Read the scope anew; the events that follow begin after `head`.
 */
export interface ResyncNotice {
  readonly type: 'resync'
  readonly head: number | string
}

export interface StreamOptions extends Omit<RequestOptions, 'timeoutMs'> {
  /** Told each time the stream is open again after it was lost. */
  readonly onReconnect?: (position: string | undefined) => void
}

/** Events in the order of the log, for as long as you read. */
export interface EventStream<Event> extends AsyncIterableIterator<Event | ResyncNotice> {
  /** Where the stream is: pass it as `after` to go on later. Undefined until the service has named one. */
  readonly position: string | undefined
  /** Ends the iteration, also one that waits for the next event. */
  close(): void
}

const DEFAULT_RETRY_MS = 3_000

export function openEventStream<Event>(
  settings: Settings,
  row: OperationRow,
  input: Input,
  options: StreamOptions = {},
): EventStream<Event> {
  const { after, ...place } = input
  const cursor: Cursor = {
    position: after === undefined ? undefined : wireText(after),
    retryMs: DEFAULT_RETRY_MS,
    maxMs: settings.retry.maxMs,
  }
  const leaving = linkSignal(options.signal)
  const connect = async () => {
    // @point client.stream.resume
    const resume = cursor.position === undefined ? {} : { 'last-event-id': cursor.position }
    const request = buildRequest(settings, row, place, { ...options.headers, ...resume })
    return openConnection(settings, request, leaving.signal)
  }
  const first = async () => withAttempts(firstAttempts(settings, options.attempts, leaving.signal), connect)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the data is says the OpenAPI document
  const events = follow(cursor, leaving, { first, connect }, options.onReconnect) as AsyncGenerator<
    Event | ResyncNotice
  >
  return {
    next: () => events.next(),
    async return() {
      leaving.abort(closed)
      return events.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
    get position() {
      return cursor.position
    },
    close: () => leaving.abort(closed),
  }
}

interface Cursor {
  position: string | undefined
  /** The pause that the service asks for. */
  retryMs: number
  readonly maxMs: number
}

interface Connecting {
  readonly first: () => Promise<Connection>
  readonly connect: () => Promise<Connection>
}

/** The reason of a stream that its reader closed: no error. */
const closed = Symbol('closed')

/** A caller with a wrong address should hear of it, so the first connection is not tried for ever. */
function firstAttempts({ retry, timeoutMs }: Settings, attempts: number | undefined, signal: AbortSignal) {
  const policy = attempts === undefined ? retry : { ...retry, attempts }
  return { policy, timeoutMs, repeatable: true, signal }
}

async function* follow(
  cursor: Cursor,
  leaving: LinkedSignal,
  { first, connect }: Connecting,
  onReconnect: StreamOptions['onReconnect'],
): AsyncGenerator<unknown, undefined> {
  let connection: Connection | undefined
  try {
    connection = await first()
    for (;;) {
      yield* eventsOf(connection, cursor)
      leaving.signal.throwIfAborted()
      connection.close()
      // oxlint-disable-next-line no-await-in-loop -- one connection follows the other
      connection = await reconnect(cursor, connect, leaving.signal)
      onReconnect?.(cursor.position)
    }
  } catch (error) {
    if (leaving.signal.aborted && leaving.signal.reason === closed) return undefined
    throw error
  } finally {
    connection?.close()
    leaving.release()
  }
}

/** Until the connection ends. More is read only when all that was read is handed out. */
async function* eventsOf(connection: Connection, cursor: Cursor): AsyncGenerator<unknown, void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the reader sets the pace
    const frames = await connection.read()
    cursor.retryMs = connection.retryMs ?? cursor.retryMs
    if (!frames) return
    // Where it begins, if the caller has not said so: the service does, before the first event.
    if (frames.length === 0) cursor.position ??= connection.lastId
    for (const frame of frames) yield eventOf(frame, cursor)
  }
}

/** Moves the position. A notice has none of its own: what follows begins after the head that it names. */
function eventOf({ event, data, id }: ParsedEventFrame, cursor: Cursor): unknown {
  const value: unknown = JSON.parse(data)
  if (event !== 'resync') {
    cursor.position = id ?? cursor.position
    return value
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a resync holds says the contract
  const { head } = value as ResyncNotice
  cursor.position = String(head)
  return { type: 'resync', head } satisfies ResyncNotice
}

/** For as long as it takes: the reader has a position, and will miss nothing. */
async function reconnect(
  { retryMs, maxMs }: Cursor,
  connect: () => Promise<Connection>,
  signal: AbortSignal,
): Promise<Connection> {
  let failure: unknown
  for (let tried = 1; ; tried += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt follows the other
    await pause(pauseBefore(tried, { baseMs: retryMs, maxMs }, failure), signal)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt follows the other
      return await connect()
    } catch (error) {
      signal.throwIfAborted()
      if (!isPassing(error)) throw error
      failure = error
    }
  }
}
