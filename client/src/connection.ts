/** One connection of an event stream: opened once, read until it ends, breaks or falls silent. */
import { TimedOut, UnexpectedAnswer } from './errors.ts'
import { createFrameReader } from './event-frames.ts'
import type { ParsedEventFrame } from './event-frames.ts'
import type { Settings } from './options.ts'
import { linkSignal } from './pausing.ts'
import { describeFailure, mediaOf, problemOf } from './requests.ts'
import type { ClientRequest } from './requests.ts'

export interface Connection {
  /** The next frames, none where only a sign of life came; undefined when the connection is at its end, however that came. */
  read(): Promise<readonly ParsedEventFrame[] | undefined>
  readonly retryMs: number | undefined
  /** The position that the service has named last. */
  readonly lastId: string | undefined
  close(): void
}

/** Rejects where the service refuses the stream, or cannot be reached within the time of an attempt. */
export async function openConnection(
  settings: Settings,
  { url, init }: ClientRequest,
  signal: AbortSignal,
): Promise<Connection> {
  const linked = linkSignal(signal)
  const { attemptTimeoutMs, streamSilenceMs } = settings
  const timer = setTimeout(
    () => linked.abort(new TimedOut(`No answer within ${attemptTimeoutMs} ms.`)),
    attemptTimeoutMs,
  )
  try {
    const response = await settings.fetch(url, { ...init, signal: linked.signal })
    if (response.status !== 200 || mediaOf(response) !== 'text/event-stream') throw await problemOf(response)
    if (!response.body) throw new UnexpectedAnswer(response.status, 'a stream without a body')
    return readBody(response.body, streamSilenceMs, () => {
      linked.abort()
      linked.release()
    })
  } catch (error) {
    linked.release()
    throw describeFailure(error, linked.signal)
  } finally {
    clearTimeout(timer)
  }
}

function readBody(body: ReadableStream<Uint8Array>, silenceMs: number, close: () => void): Connection {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const frames = createFrameReader()
  return {
    async read() {
      // Runs while we wait and not while the caller is busy with what came.
      const watchdog = setTimeout(close, silenceMs)
      try {
        const { done, value } = await reader.read()
        return done ? undefined : frames.push(decoder.decode(value, { stream: true }))
      } catch {
        // Broken off: whatever was not whole is sent again.
        return undefined
      } finally {
        clearTimeout(watchdog)
      }
    },
    get retryMs() {
      return frames.retryMs
    },
    get lastId() {
      return frames.lastId
    },
    close,
  }
}
