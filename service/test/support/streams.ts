/** A client of event streams that takes the protocol literally. */
import { waitUntil } from '@concord/tools/launch'

export interface StreamFrame {
  readonly id: string | undefined
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface StreamClient {
  readonly status: number
  readonly headers: Headers
  readonly frames: readonly StreamFrame[]
  /** Everything that came, comments included. */
  text(): string
  hasEnded(): boolean
  until(count: number, withinMs?: number): Promise<readonly StreamFrame[]>
  /** Until an event of this kind has come about the document. */
  untilEvent(event: string, documentId?: string, withinMs?: number): Promise<StreamFrame>
  close(): Promise<void>
}

export async function openStream(url: string, headers: Record<string, string>): Promise<StreamClient> {
  const leaving = new AbortController()
  const answer = await fetch(url, { headers, signal: leaving.signal })
  const frames: StreamFrame[] = []
  let text = ''
  let ended = false
  const reading = (async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of answer.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true })
      text += piece
      const blocks = `${rest}${piece}`.split('\n\n')
      rest = blocks.pop() ?? ''
      frames.push(...blocks.flatMap(parseBlock))
    }
  })()
  const over = reading.then(
    () => void (ended = true),
    () => void (ended = true),
  )
  const waitFor = async <Value>(probe: () => Value | undefined | false, what: string, withinMs = 15_000) =>
    waitUntil(
      () => {
        const found = probe()
        if (!found && ended) throw new Error(`the stream ended after ${JSON.stringify(text)}`)
        return found
      },
      { what, withinMs, everyMs: 10 },
    )
  return {
    status: answer.status,
    headers: answer.headers,
    frames,
    text: () => text,
    hasEnded: () => ended,
    until: (count, withinMs) => waitFor(() => frames.length >= count && frames, `${count} events`, withinMs),
    untilEvent: (event, documentId, withinMs) =>
      waitFor(
        () => frames.find((frame) => isAbout(frame, event, documentId)),
        `${event} ${documentId ?? ''}`,
        withinMs,
      ),
    async close() {
      leaving.abort()
      await over
    },
  }
}

function isAbout(frame: StreamFrame, event: string, documentId: string | undefined): boolean {
  return frame.event === event && (documentId === undefined || frame.data['subject'] === documentId)
}

/** A block of comments or of settings is no event. */
function parseBlock(block: string): StreamFrame[] {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const [event, data] = [fields.get('event'), fields.get('data')]
  if (event === undefined || data === undefined) return []
  return [{ id: fields.get('id'), event, data: JSON.parse(data) as Record<string, unknown> }]
}
