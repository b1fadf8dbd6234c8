/** The loop that goes on with rereads: a few documents of each scope are queued at a time. All it knows is in the database. */
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
/** Scopes that are looked at one after the other before it looks again which are due. */
const MAX_SCOPES = 16

export function createRereader({ everyMs = EVERY_MS, log, ...deps }: RereaderDeps): Part {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  async function look(): Promise<void> {
    for (const place of await findDueRereads(deps, MAX_SCOPES)) {
      if (signal.aborted) return
      // oxlint-disable-next-line no-await-in-loop -- nobody is in a hurry, and each holds its scope
      await advanceReread(deps, place)
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await look().catch((error: unknown) => log.warn({ err: error }, 'rereads could not be continued'))
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
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
