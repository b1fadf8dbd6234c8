/**
 * A client of an event stream that goes away again and again, in the middle of whatever is being sent, and comes back
 * with the last id it saw, to whichever API is there.
 */
import { createAccount } from './account.ts'
import { openStream } from '../http/event-stream.ts'
import type { RawEventFrame } from '../http/event-frames.ts'
import { pause, repeat } from '../loop.ts'
import { pick } from '../statistics.ts'

export interface ReaderOptions {
  readonly urls: () => readonly string[]
  readonly path: string
  readonly bearer: string
  readonly tenantKey?: string
  /** The position to begin after. */
  readonly after: string
  /** Whether it is the stream of all scopes, on which an event is known by its source and id. */
  readonly ofAll?: boolean
  /** The longest that it stays by itself. */
  readonly maxStayMs?: number
  readonly random: () => number
}

export type StreamReader = ReturnType<typeof startReader>

/** It stays at most this long, and away at most that long. */
const MAX_STAY_MS = 3_000
const MAX_AWAY_MS = 400

export function startReader(options: ReaderOptions) {
  const account = createAccount()
  const tally = { disconnects: 0, resyncs: 0, refusals: [] as string[] }
  let position = options.after

  function take({ id, event, data }: RawEventFrame): void {
    if (event === 'resync') tally.resyncs += 1
    if (id === undefined) return
    position = id
    const name = options.ofAll ? `${fieldOf(data, 'source')} ${fieldOf(data, 'id')}` : id
    account.note(name, event, fieldOf(data, 'subject'))
  }

  const { stop } = repeat(async (signal) => {
    await readOnce(options, position, take, signal).then(
      () => void (tally.disconnects += 1),
      (error: unknown) => void tally.refusals.push(String(error)),
    )
    await pause(options.random() * MAX_AWAY_MS, signal)
  })
  return { account, tally, stop }
}

/** Resolves when it has gone away, or was sent away; rejects when it was not let in. */
async function readOnce(
  { urls, path, bearer, tenantKey, random, maxStayMs = MAX_STAY_MS }: ReaderOptions,
  position: string,
  take: (frame: RawEventFrame) => void,
  stop: AbortSignal,
): Promise<void> {
  const url = pick(urls(), random)
  if (url === undefined) return
  const stay = AbortSignal.any([stop, AbortSignal.timeout(Math.ceil(random() * maxStayMs))])
  const headers = { accept: 'text/event-stream', 'last-event-id': position }
  // A connection that is cut before it is answered is an end like any other.
  const stream = await openStream(
    url,
    { path, bearer, tenantKey, headers },
    { onFrame: take, signal: stay },
  ).catch(() => undefined)
  if (stream && stream.status !== 200) throw new Error(`the stream answered ${stream.status}`)
  await stream?.ended
}

/** Found, not parsed: five million times it makes a difference. */
function fieldOf(data: string, name: string): string {
  const start = `"${name}":"`
  const at = data.indexOf(start)
  return at === -1 ? '' : data.slice(at + start.length, data.indexOf('"', at + start.length))
}
