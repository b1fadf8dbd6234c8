/** An event stream (server-sent events) as a client reads it: frame by frame, for as long as it is kept open. */
import { headOf, isEventStream, send } from './exchange.ts'
import type { Reply, Request } from './exchange.ts'

/** What stands between two empty lines. */
export interface Frame {
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly retry?: string
  readonly comment?: string
}

/** Closed by `using`, so that no test leaves one behind. */
export interface EventStream extends Disposable, Pick<Reply, 'status' | 'headers'> {
  /** Everything that has come so far. */
  frames(): readonly Frame[]
  /** Whether the service has closed it. */
  hasEnded(): boolean
}

export async function openEventStream(url: string, request: Request): Promise<EventStream> {
  const leaving = new AbortController()
  const incoming = await send(url, request, leaving.signal)
  const head = headOf(incoming)
  if (!isEventStream(head.headers['content-type'])) {
    leaving.abort()
    throw new Error(`${request.path} answered ${head.status} and no event stream.`)
  }
  const frames: Frame[] = []
  let rest = ''
  let ended = false
  incoming.setEncoding('utf8')
  incoming.on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    frames.push(...blocks.map(parseFrame))
  })
  // Leaving it is an error to the library; so is being cut off, and that is an end as well.
  incoming.on('error', () => undefined)
  incoming.once('close', () => (ended = true))
  return {
    ...head,
    frames: () => frames,
    hasEnded: () => ended,
    [Symbol.dispose]: () => leaving.abort(),
  }
}

function parseFrame(block: string): Frame {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon) || 'comment', line.slice(colon + 1).replace(/^ /, '')] as const
  })
  return Object.fromEntries(fields)
}
