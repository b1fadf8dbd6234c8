/**
 * The dispatcher holds leases on shards of the backlog, keeps the window of work in flight full, and recalls work that the broker lost.
 * Several may run. If one stops, another takes over its shards when the leases expire. Its state is only a
 * cache of what is in Postgres.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { WorkDispatch } from '../app/processing/dispatch.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface DispatcherDeps {
  readonly dispatch: WorkDispatch
  readonly log: Log
  readonly renewEveryMs: number
  /** The backlog is polled at this interval, even without a wake-up. */
  readonly lookEveryMs: number
  /**
   * The minimum interval between dispatches that are not urgent. Many attempts end in this time, and one dispatch
   * serves them all. The window is large enough that workers do not run out of work meanwhile.
   */
  readonly paceMs: number
}

export interface Dispatcher extends Part {
  /** Counted since the process started. */
  readonly counts: { readonly dispatched: number; readonly recalled: number }
  shardsHeld(): number
  /** Called when a document was queued or an attempt has ended. Dispatches now if urgent, else after `paceMs`. */
  wake(urgent?: boolean): void
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const stopping = new AbortController()
  let shards: readonly number[] = []
  const rest = createPause(deps)
  const counts = { dispatched: 0, recalled: 0 }
  const loops: Promise<void>[] = []

  async function keepLeases(): Promise<void> {
    // @point dispatch.renew-leases
    const held = await deps.dispatch.renewLeases()
    shards = shards.filter((shard) => held.includes(shard))
    if (held.length === 0) return
    // Reconcile first: work that is dispatched before the queue exists is lost, and noticed only much later.
    const recalled = await deps.dispatch.reconcile(held)
    counts.recalled += recalled
    const gained = held.length > shards.length
    shards = held
    // The documents of gained shards have been waiting for a holder.
    if (gained || recalled > 0) rest.wake()
    if (recalled > 0) deps.log.warn({ recalled }, 'work was taken back from the broker')
  }

  async function dispatch(): Promise<void> {
    rest.over()
    const dispatched = await deps.dispatch.dispatch(shards)
    counts.dispatched += dispatched
    // One dispatch does not scan the whole backlog, so there may be more.
    if (dispatched > 0) rest.wake(false)
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
        repeat('renewing leases', keepLeases, pauseBetweenRenewals),
        repeat('dispatching work', dispatch, rest.pause),
      )
    },
    async stop() {
      stopping.abort()
      rest.stop()
      await Promise.all(loops)
      await deps.dispatch.sent()
      await deps.dispatch.releaseLeases().catch(() => undefined)
    },
    wake: rest.wake,
  }
}

/** The pause between two dispatches: until a wake-up or until the polling interval is over. */
function createPause({ paceMs, lookEveryMs }: Pick<DispatcherDeps, 'paceMs' | 'lookEveryMs'>) {
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
        // oxlint-disable-next-line no-await-in-loop -- a wake-up may shorten the pause
        await delay(leftMs, undefined, { signal: alarm.signal }).catch(() => undefined)
      }
    },
  }
}
