/**
 * The dispatcher: holds leases on shards of the backlog, keeps the window full, and takes back what the broker lost.
 * Several may run; a shard whose holder is gone is taken over when its lease ends. It remembers nothing that it could
 * not read again from Postgres.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Releasing } from '../app/releasing.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface DispatcherDeps {
  readonly releasing: Releasing
  readonly log: Log
  readonly renewEveryMs: number
  /** The backlog is looked at this often even when nobody calls. */
  readonly lookEveryMs: number
}

export interface Dispatcher extends Part {
  /** Since it started. */
  readonly counts: { readonly released: number; readonly recalled: number }
  shardsHeld(): number
  /** Something was queued or finished: look now. */
  wake(): void
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const stopping = new AbortController()
  let shards: readonly number[] = []
  let alarm: AbortController | undefined
  let woken = false
  const counts = { released: 0, recalled: 0 }
  const loops: Promise<void>[] = []

  async function keepLeases(): Promise<void> {
    const held = await deps.releasing.renewLeases()
    shards = shards.filter((shard) => held.includes(shard))
    if (held.length === 0) return
    // First: what is released before the queue is there goes nowhere, and is missed only much later.
    const recalled = await deps.releasing.reconcile(held)
    counts.recalled += recalled
    const gained = held.length > shards.length
    shards = held
    // What waits there has waited for somebody to hold it.
    if (gained || recalled > 0) wake()
    if (recalled > 0) deps.log.warn({ recalled }, 'work was taken back from the broker')
  }

  function wake(): void {
    woken = true
    alarm?.abort()
  }

  async function look(): Promise<void> {
    woken = false
    let released = 0
    do {
      // oxlint-disable-next-line no-await-in-loop -- each release fills what the one before left free
      released = await deps.releasing.release(shards)
      counts.released += released
    } while (released > 0 && !stopping.signal.aborted)
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

  async function pauseUntilWoken(): Promise<void> {
    if (woken || stopping.signal.aborted) return
    alarm = new AbortController()
    await delay(deps.lookEveryMs, undefined, { signal: alarm.signal }).catch(() => undefined)
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
        repeat('releasing work', look, pauseUntilWoken),
      )
    },
    async stop() {
      stopping.abort()
      alarm?.abort()
      await Promise.all(loops)
      await deps.releasing.sent()
      await deps.releasing.giveUpLeases().catch(() => undefined)
    },
    wake,
  }
}
