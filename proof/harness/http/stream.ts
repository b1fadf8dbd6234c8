/** A stream of events that is held open: what came of it so far, and when it ended. */
import { request as open } from 'node:http'
import type { IncomingMessage } from 'node:http'

export interface StreamRequest {
  /** With the query string. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface OpenStream {
  readonly status: number
  /** Everything that came so far. */
  text(): string
  /** When the other side closed it, by the wall clock; undefined while it is open. */
  endedAt(): number | undefined
  close(): void
}

const PATIENCE_MS = 10_000

/** Resolves with the head of the answer; a refusal is an answer as well, and ends by itself. */
export function openStream({ url, headers }: StreamRequest): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    // A connection of its own, so that closing it closes nothing else.
    const outgoing = open(url, { agent: false, headers: { ...headers, Connection: 'close' } })
    const patience = setTimeout(() => outgoing.destroy(new Error('no answer in time')), PATIENCE_MS)
    outgoing.once('error', (error) => {
      clearTimeout(patience)
      reject(error)
    })
    outgoing.once('response', (incoming) => {
      clearTimeout(patience)
      resolve(watch(incoming, () => outgoing.destroy()))
    })
    outgoing.end()
  })
}

function watch(incoming: IncomingMessage, destroy: () => void): OpenStream {
  let text = ''
  let endedAt: number | undefined
  let closed = false
  const end = () => void (closed || (endedAt ??= Date.now()))
  incoming.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
  // An error is an end as well, and 'close' follows it.
  incoming
    .on('error', () => undefined)
    .once('end', end)
    .once('close', end)
  return {
    status: incoming.statusCode ?? 0,
    text: () => text,
    endedAt: () => endedAt,
    close() {
      closed = true
      destroy()
    },
  }
}
