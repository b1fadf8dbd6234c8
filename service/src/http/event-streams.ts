/**
 * Serves event streams (server-sent events). One timer serves all of them: it sends keep-alive comments and checks that
 * their credentials are still valid. If a client does not read, its source waits (backpressure), and after a timeout the connection is
 * closed. The client can reconnect with the last id it saw and misses nothing.
 */
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { problems } from '@concord/contract'
import { Fault } from '../domain/fault.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { EventFrame, EventSink, EventSource, PositionFrame } from './route.ts'

export interface EventStreams extends Part {
  /** Takes over the response. Resolves when the stream has ended. */
  serve(response: ServerResponse, headers: Readonly<Record<string, string>>, stream: NewStream): Promise<void>
  count(): number
}

export interface NewStream {
  readonly source: EventSource
  /** Streams with the same credential are rechecked together. */
  readonly credential: string
  /** Rejects when the credential is no longer valid. */
  readonly reauthenticate: () => Promise<unknown>
  /** If the credential cannot be rechecked, the stream ends after this time, and the client reconnects. */
  readonly endsAfterMs?: number
}

interface OpenStream extends NewStream {
  readonly response: ServerResponse
  readonly stop: AbortController
  lastWriteAt: number
}

const TICK_MS = 3_000
const HEARTBEAT_MS = 15_000
/** Streams written per turn of the event loop. Ten thousand at once would block it for a tenth of a second. */
const AT_ONCE = 100
/** The time after which a client that does not read is disconnected. */
const TIMEOUT_MS = 20_000

/** The characters that are written before the client has to make room. */
const MAX_SLICE_LENGTH = 16 * 1024

export function createEventStreams(log: Log): EventStreams {
  const open = new Set<OpenStream>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function keepAlive(): Promise<void> {
    const now = performance.now()
    let written = 0
    for (const stream of open) {
      if (now - stream.lastWriteAt < HEARTBEAT_MS || stream.response.writableNeedDrain) continue
      write(stream, ': alive\n\n')
      written += 1
      // oxlint-disable-next-line no-await-in-loop -- lets requests in between
      if (written % AT_ONCE === 0) await nextTurn()
    }
  }

  function tick(): void {
    void keepAlive()
    // @point events.stream.recheck-keys
    for (const streams of Map.groupBy(open, ({ credential }) => credential).values()) void recheck(streams)
  }

  return {
    name: 'event streams',
    async start() {
      timer = setInterval(tick, TICK_MS)
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      for (const stream of open) stream.stop.abort()
    },
    count: () => open.size,
    async serve(response, headers, stream) {
      const opened: OpenStream = {
        ...stream,
        response,
        stop: new AbortController(),
        // @point events.stream.open
        lastWriteAt: performance.now(),
      }
      if (stopped) opened.stop.abort()
      const end = endLater(opened)
      response.once('close', () => opened.stop.abort())
      open.add(opened)
      response.writeHead(200, { ...headers, ...STREAM_HEADERS })
      write(opened, 'retry: 3000\n\n')
      try {
        await stream.source(sinkOf(opened))
      } catch (error) {
        if (!opened.stop.signal.aborted) log.warn({ err: error }, 'an event stream ended early')
      } finally {
        clearTimeout(end)
        open.delete(opened)
        response.end()
      }
    },
  }
}

function endLater({ stop, endsAfterMs }: OpenStream): NodeJS.Timeout | undefined {
  if (endsAfterMs === undefined) return undefined
  return setTimeout(() => stop.abort(), endsAfterMs)
}

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Tells proxies not to buffer events.
  'x-accel-buffering': 'no',
  // Closes the connection with the stream, because an idle connection would delay the shutdown of the process.
  connection: 'close',
}

/** Closes streams only if the credential is refused. An outage of the database says nothing about a credential. */
async function recheck(streams: readonly OpenStream[]): Promise<void> {
  try {
    await streams[0]?.reauthenticate()
  } catch (error) {
    if (!isRefusal(error)) return
    for (const { stop } of streams) stop.abort()
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Fault && problems[error.code].status < 500
}

function sinkOf(stream: OpenStream): EventSink {
  return {
    signal: stream.stop.signal,
    async send(frames) {
      if (stream.stop.signal.aborted) return
      for (const slice of slicesOf(frames)) {
        // @point events.stream.write
        if (!write(stream, slice))
          // oxlint-disable-next-line no-await-in-loop -- the client has to make room for the next slice
          await untilDrained(stream)
        if (stream.stop.signal.aborted) return
      }
    },
  }
}

/** Joins frames to writes of about 16 KiB. All of them at once would be in memory for a client that does not read. */
function* slicesOf(frames: readonly (EventFrame | PositionFrame)[]): Generator<string> {
  let slice = ''
  for (const frame of frames) {
    const encoded = encodeFrame(frame)
    if (slice.length > 0 && slice.length + encoded.length > MAX_SLICE_LENGTH) {
      yield slice
      slice = ''
    }
    slice += encoded
  }
  if (slice.length > 0) yield slice
}

function write(stream: OpenStream, chunk: string): boolean {
  stream.lastWriteAt = performance.now()
  return stream.response.write(chunk)
}

/** Resolves on drain or on close. A client that has disconnected never drains. */
async function untilDrained({ response, stop }: OpenStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    stop.abort()
    response.destroy()
  }, TIMEOUT_MS)
  const go = () => resolve()
  response.once('drain', go)
  stop.signal.addEventListener('abort', go, { once: true })
  await promise
  response.off('drain', go)
  stop.signal.removeEventListener('abort', go)
  clearTimeout(timer)
}

/** JSON.stringify emits no line feeds, so one data line always suffices. */
function encodeFrame(frame: EventFrame | PositionFrame): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`
  if (!('event' in frame)) return `${id}\n`
  return `${id}event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`
}
