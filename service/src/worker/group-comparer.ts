/**
 * The loop that compares what removed documents left, one step after the other. Everything it knows is in the database, so it may die at any
 * moment; another worker takes a step when its lease ends.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { findDueGroupSteps, workOnGroupStep } from '../app/comparing/group-steps.ts'
import type { GroupStepDeps } from '../app/comparing/group-steps.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface GroupComparerDeps extends GroupStepDeps {
  readonly everyMs?: number
  readonly log: Log
}

const EVERY_MS = 500
/** Tenants take turns in them. */
const MAX_STEPS = 8

export function createGroupComparer({ everyMs = EVERY_MS, log, ...deps }: GroupComparerDeps): Part {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  /** Whether there was anything to do. */
  async function look(): Promise<boolean> {
    const due = await findDueGroupSteps(deps, MAX_STEPS)
    for (const place of due) {
      if (signal.aborted) return false
      // oxlint-disable-next-line no-await-in-loop -- the thread compares one after the other
      await workOnGroupStep(deps, place).catch(tell('a comparison step was not completed'))
    }
    return due.length > 0
  }

  /** A message may quote a claim, so the class of an error must do. */
  const tell = (what: string) => (error: unknown) => {
    log.warn({ fault: error instanceof Error ? error.constructor.name : typeof error }, what)
    return false
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const isMore = await look().catch(tell('due comparison steps could not be read'))
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      if (!isMore) await delay(everyMs, undefined, { signal }).catch(() => undefined)
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
