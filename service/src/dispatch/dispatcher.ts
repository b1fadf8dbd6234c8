/**
 * The dispatcher: holds leases on shards of the backlog, keeps the window full, and takes back what the broker lost.
 * Several may run; a shard whose holder is gone is taken over when its lease ends. It remembers nothing that it could
 * not read again from Postgres.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Releasing } from '../app/processing/releasing.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface DispatcherDeps {
  readonly releasing: Releasing
  readonly log: Log
  readonly renewEveryMs: number
  /** The backlog is looked at this often even when nobody calls. */
  readonly lookEveryMs: number
  /**
   * Where there is merely room for more, this long after the last look: many have ended by then, and one look serves them
   * all. The window is deep enough that nobody runs dry meanwhile.
   */
  readonly paceMs: number
}

export interface Dispatcher extends Part {
  /** Since it started. */
  readonly counts: { readonly released: number; readonly recalled: number }
  shardsHeld(): number
  /** Something was queued, or has ended. Looks now where it is urgent, and soon where it is not. */
  wake(urgent?: boolean): void
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const stopping = new AbortController()
  let shards: readonly number[] = []
  const rest = createRest(deps)
  const counts = { released: 0, recalled: 0 }
  const loops: Promise<void>[] = []

  async function keepLeases(): Promise<void> {
    // @point dispatch.renew-leases
    const held = await deps.releasing.renewLeases()
    shards = shards.filter((shard) => held.includes(shard))
    if (held.length === 0) return
    // First: what is released before the queue is there goes nowhere, and is missed only much later.
    const recalled = await deps.releasing.reconcile(held)
    counts.recalled += recalled
    const gained = held.length > shards.length
    shards = held
    // Documents that wait there have waited for a holder.
    if (gained || recalled > 0) rest.wake()
    if (recalled > 0) deps.log.warn({ recalled }, 'work was taken back from the broker')
  }

  async function look(): Promise<void> {
    rest.over()
    const released = await deps.releasing.release(shards)
    counts.released += released
    // One release does not look at everything, so there may be more.
    if (released > 0) rest.wake(false)
  }

  async function repeat(what: string, work: () => Promise<void>, pause: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await work().catch((error: unknown) =>
        deps.log.warn({ err: error }, `${what} failed; it is tried again`),
      )
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await pause()
    }
  }

  const pauseBetweenRenewals = () =>
    delay(deps.renewEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)

  return {
    name: 'dispatcher',
    counts,
    shardsHeld: () => shards.length,
    async start() {
      loops.push(
        repeat('keeping leases', keepLeases, pauseBetweenRenewals),
        repeat('releasing work', look, rest.pause),
      )
    },
    async stop() {
      stopping.abort()
      rest.stop()
      await Promise.all(loops)
      await deps.releasing.sent()
      await deps.releasing.giveUpLeases().catch(() => undefined)
    },
    wake: rest.wake,
  }
}

/** Between two looks: until somebody calls, or it is time to look anyway. */
function createRest({ paceMs, lookEveryMs }: Pick<DispatcherDeps, 'paceMs' | 'lookEveryMs'>) {
  let alarm: AbortController | undefined
  let lookedAt = 0
  let called: 'no' | 'soon' | 'now' | 'stop' = 'no'
  const dueMs = () => {
    if (called === 'now' || called === 'stop') return 0
    return lookedAt + (called === 'soon' ? paceMs : lookEveryMs) - performance.now()
  }
  return {
    wake(urgent = true): void {
      if (called === 'stop' || called === 'now' || (called === 'soon' && !urgent)) return
      called = urgent ? 'now' : 'soon'
      alarm?.abort()
    },
    over(): void {
      if (called !== 'stop') called = 'no'
      lookedAt = performance.now()
    },
    stop(): void {
      called = 'stop'
      alarm?.abort()
    },
    async pause(): Promise<void> {
      for (let leftMs = dueMs(); leftMs > 0; leftMs = dueMs()) {
        alarm = new AbortController()
        // oxlint-disable-next-line no-await-in-loop -- called meanwhile, it may have to rest for less
        await delay(leftMs, undefined, { signal: alarm.signal }).catch(() => undefined)
      }
    },
  }
}
