/**
 * Deletes expired data in the background and folds changes into the metrics of scopes. A lease makes sure that one dispatcher does it
 * at a time. It pauses between two steps.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Retention } from '../app/upkeep/retention.ts'
import type { Walk } from '../domain/retention.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface SweeperDeps {
  readonly retention: Retention
  readonly walks: readonly Walk[]
  readonly log: Log
  /** The pause between two steps of a pass. */
  readonly restMs: number
  /** The pause until it checks again whether a pass is due. */
  readonly lookEveryMs: number
}

export function createSweeper({ retention, walks, log, restMs, lookEveryMs }: SweeperDeps): Part {
  const stopping = new AbortController()
  let loops: Promise<void>[] = []

  async function step(walk: Walk): Promise<boolean> {
    try {
      return await retention.sweep(walk)
    } catch (error) {
      log.warn({ err: error, walk }, 'a sweep failed; it is tried again')
      return false
    }
  }

  async function repeat(walk: Walk): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      const hasMore = await step(walk)
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      await delay(hasMore ? restMs : lookEveryMs, undefined, { signal: stopping.signal }).catch(
        () => undefined,
      )
    }
  }

  return {
    name: 'sweeper',
    async start() {
      loops = walks.map(repeat)
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await retention.release().catch(() => undefined)
    },
  }
}
