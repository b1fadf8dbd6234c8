/** The loop that continues rereads: it queues a few documents of each scope at a time. Its state is in the database. */
import { setTimeout as delay } from 'node:timers/promises'
import { advanceReread, findDueRereads } from '../app/processing/rereads.ts'
import type { RereadDeps } from '../app/processing/rereads.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface RereaderDeps extends RereadDeps {
  readonly everyMs?: number
  readonly log: Log
}

const EVERY_MS = 1_000
/** The scopes that the loop advances between two polls for due rereads. */
const MAX_SCOPES = 16

export function createRereader({ everyMs = EVERY_MS, log, ...deps }: RereaderDeps): Part {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  async function poll(): Promise<void> {
    for (const place of await findDueRereads(deps, MAX_SCOPES)) {
      if (signal.aborted) return
      // oxlint-disable-next-line no-await-in-loop -- rereads are not urgent, and each locks its scope
      await advanceReread(deps, place)
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one poll at a time
      await poll().catch((error: unknown) => log.warn({ err: error }, 'rereads could not be continued'))
      // oxlint-disable-next-line no-await-in-loop -- one poll at a time
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    name: 'rereader',
    async start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
