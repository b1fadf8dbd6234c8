/** An event stream (server-sent events) as a client reads it: frame by frame, for as long as it is kept open. */
import { openStream } from '@concord/proof/event-stream'
import type { RawFrame } from '@concord/proof/event-stream'
import type { Reply, Request } from './exchange.ts'

/** Closed by `using`, so that no test leaves one behind. */
export interface AcceptanceEventStream extends Disposable, Pick<Reply, 'status' | 'headers'> {
  /** Everything that has come so far. */
  frames(): readonly RawFrame[]
  /** Whether the service has closed it. */
  hasEnded(): boolean
}

export async function openEventStream(
  url: string,
  { body: _none, ...request }: Request,
): Promise<AcceptanceEventStream> {
  const stream = await openStream(url, request)
  const { status, headers } = stream
  if (!headers.get('content-type')?.startsWith('text/event-stream')) {
    stream.close()
    throw new Error(`${request.path} answered ${status} and no event stream.`)
  }
  return {
    status,
    headers: Object.fromEntries(headers),
    frames: stream.rawFrames,
    hasEnded: () => stream.endedAt() !== undefined,
    [Symbol.dispose]: stream.close,
  }
}
