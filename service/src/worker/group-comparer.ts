/**
 * The loop that compares the groups that removed documents left, one step at a time. Its state is in the database, so
 * the process may crash at any moment. Another worker takes a step when its lease expires.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { findDueGroupSteps, runGroupStep } from '../app/comparing/group-steps.ts'
import type { GroupStepDeps } from '../app/comparing/group-steps.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface GroupComparerDeps extends GroupStepDeps {
  readonly everyMs?: number
  readonly log: Log
}

const EVERY_MS = 500
/** The steps of one poll. Tenants take turns in them. */
const MAX_STEPS = 8

export function createGroupComparer({ everyMs = EVERY_MS, log, ...deps }: GroupComparerDeps): Part {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  /** Returns whether any step was due. */
  async function poll(): Promise<boolean> {
    const due = await findDueGroupSteps(deps, MAX_STEPS)
    for (const place of due) {
      if (signal.aborted) return false
      // oxlint-disable-next-line no-await-in-loop -- the thread compares one step at a time
      await runGroupStep(deps, place).catch(logError('a comparison step was not completed'))
    }
    return due.length > 0
  }

  /** Logs the class of an error, because its message may quote a claim. */
  const logError = (message: string) => (error: unknown) => {
    log.warn({ fault: error instanceof Error ? error.constructor.name : typeof error }, message)
    return false
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one poll at a time
      const hadSteps = await poll().catch(logError('due comparison steps could not be read'))
      // oxlint-disable-next-line no-await-in-loop -- one poll at a time
      if (!hadSteps) await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    name: 'group comparer',
    async start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
