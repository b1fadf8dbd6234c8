/**
 * A client of an event stream that goes away again and again, in the middle of whatever is being sent, and comes back
 * with the last id it saw, to whichever API is there.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createAccount } from './account.ts'
import type { Account } from './account.ts'
import { openStream } from '../http/event-stream.ts'
import type { EventFrame } from '../http/event-frames.ts'

export interface ReaderOptions {
  readonly urls: () => readonly string[]
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The position to begin after. */
  readonly after: string
  /** Whether it is the stream of all scopes, on which an event is known by its source and id. */
  readonly ofAll?: boolean
  /** The longest that it stays by itself. */
  readonly maxStayMs?: number
  readonly random: () => number
}

export interface Reader {
  readonly account: Account
  readonly tally: { disconnects: number; resyncs: number; refusals: string[] }
  stop(): Promise<void>
}

/** It stays at most this long, and away at most that long. */
const MAX_STAY_MS = 3_000
const MAX_AWAY_MS = 400

export function startReader(options: ReaderOptions): Reader {
  const account = createAccount()
  const tally = { disconnects: 0, resyncs: 0, refusals: [] as string[] }
  const stopping = new AbortController()
  let position = options.after

  function take({ id, event, data }: EventFrame): void {
    if (event === 'resync') tally.resyncs += 1
    if (id === undefined) return
    position = id
    const name = options.ofAll ? `${fieldOf(data, 'source')} ${fieldOf(data, 'id')}` : id
    account.note(name, event, fieldOf(data, 'subject'))
  }

  async function keepReading(): Promise<void> {
    while (!stopping.signal.aborted) {
      await readOnce(options, position, take, stopping.signal).then(
        () => void (tally.disconnects += 1),
        (error: unknown) => void tally.refusals.push(String(error)),
      )
      await delay(options.random() * MAX_AWAY_MS)
    }
  }

  const reading = keepReading()
  return {
    account,
    tally,
    async stop() {
      stopping.abort()
      await reading
    },
  }
}

/** Resolves when it has gone away, or was sent away; rejects when it was not let in. */
async function readOnce(
  { urls, path, headers, random, maxStayMs = MAX_STAY_MS }: ReaderOptions,
  position: string,
  take: (frame: EventFrame) => void,
  stop: AbortSignal,
): Promise<void> {
  const known = urls()
  const url = known[Math.floor(random() * known.length)]
  if (url === undefined) return
  const stay = AbortSignal.any([stop, AbortSignal.timeout(Math.ceil(random() * maxStayMs))])
  const request = { path, headers: { ...headers, accept: 'text/event-stream', 'last-event-id': position } }
  // A connection that is cut before it is answered is an end like any other.
  const stream = await openStream(url, request, { onFrame: take, signal: stay }).catch(() => undefined)
  if (stream && stream.status !== 200) throw new Error(`the stream answered ${stream.status}`)
  await stream?.ended
}

/** Found, not parsed: five million times it makes a difference. */
function fieldOf(data: string, name: string): string {
  const start = `"${name}":"`
  const at = data.indexOf(start)
  return at === -1 ? '' : data.slice(at + start.length, data.indexOf('"', at + start.length))
}
