/** The reader of event streams: a stream that is held open, what came of it so far, and when it ended. */
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { headersOf } from '../http.ts'
import type { HttpRequest } from '../http.ts'
import { createFrameReader, readFrames, readRawFrames } from './event-frames.ts'
import type { RawEventFrame, RawFrame } from './event-frames.ts'

export type { RawFrame }

export interface RawEventStream extends Disposable {
  readonly status: number
  /** By lower-case name; repeated ones are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>
  /** Everything that came so far, and the whole events in it. Empty where `onFrame` takes them as they come. */
  text(): string
  frames(): RawEventFrame[]
  rawFrames(): RawFrame[]
  /** When the other side closed it, by the wall clock; undefined while it is open. */
  endedAt(): number | undefined
  /** Resolves when it is over, whichever side ended it. */
  readonly ended: Promise<void>
  close(): void
}

export interface RawStreamOptions {
  /** Takes each event as it comes, instead of the text being kept. */
  readonly onFrame?: (frame: RawEventFrame) => void
  /** Closes it, even before it is open. */
  readonly signal?: AbortSignal
}

const TIMEOUT_MS = 10_000

/** Resolves with the head of the response; a refusal is a response as well, and ends by itself. */
export function openStream(
  url: string,
  request: HttpRequest,
  options: RawStreamOptions = {},
): Promise<RawEventStream> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  const headers = { ...Object.fromEntries(headersOf(request)), Connection: 'close' }
  return new Promise((resolve, reject) => {
    // A connection of its own, so that closing it closes nothing else.
    const outgoing = open(url + request.path, {
      agent: false,
      headers,
      ...(options.signal && { signal: options.signal }),
    })
    const timer = setTimeout(() => outgoing.destroy(new Error('no response in time')), TIMEOUT_MS)
    // It stays: what is closed before its end fails a second time.
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    outgoing.once('response', (incoming) => {
      clearTimeout(timer)
      resolve(follow(incoming, options, () => outgoing.destroy()))
    })
    outgoing.end()
  })
}

function follow(
  incoming: IncomingMessage,
  { onFrame, signal }: RawStreamOptions,
  destroy: () => void,
): RawEventStream {
  let text = ''
  let endedAt: number | undefined
  let closed = false
  const isClosed = () => closed || signal?.aborted === true
  const take = onFrame ? createFrameReader(onFrame) : (piece: string) => void (text += piece)
  // After closing nothing counts: what still lies in the buffers was never received.
  incoming.setEncoding('utf8').on('data', (piece: string) => void (isClosed() || take(piece)))
  const end = () => void (isClosed() || (endedAt ??= Date.now()))
  // An error is an end as well, and 'close' follows it.
  incoming.on('error', () => undefined).once('end', end)
  const ended = new Promise<void>((resolve) => incoming.once('close', resolve))
  const close = () => {
    closed = true
    destroy()
  }
  return {
    status: incoming.statusCode ?? 0,
    headers: new Map(
      Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    ),
    text: () => text,
    frames: () => readFrames(text),
    rawFrames: () => readRawFrames(text),
    endedAt: () => endedAt,
    ended: ended.then(end),
    close,
    [Symbol.dispose]: close,
  }
}
