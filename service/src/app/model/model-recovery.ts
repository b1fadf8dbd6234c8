/**
 * Detects when a failing language model answers again, and wakes the documents that wait for it. Their own retries are
 * minutes apart, so it probes the model with a small request.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { AskModel } from '../../domain/model.ts'
import { PROBE } from '../../domain/model-probe.ts'
import type { Part } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import { wakeDeferred } from '../../store/processing/attempts.ts'
import type { Pool } from '../../store/pools.ts'

export interface ModelRecoveryDeps {
  readonly ask: AskModel
  readonly state: () => 'on' | 'failing'
  /** The milliseconds until the next request may be sent. */
  readonly pausedMs: () => number
  /** Runs as the kernel role. */
  readonly kernel: Pool
  readonly everyMs?: number
  readonly log: Log
}

const EVERY_MS = 1_000

export function createModelRecovery(deps: ModelRecoveryDeps): Part {
  const { ask, state, pausedMs, kernel, everyMs = EVERY_MS, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  /** Starts with `all`, because documents may have been deferred under other settings. */
  let wakeWhenOn: 'all' | 'endpoint' | 'no' = 'all'
  let running: Promise<void> | undefined

  async function check(): Promise<void> {
    if (state() === 'failing') {
      if (wakeWhenOn === 'no') wakeWhenOn = 'endpoint'
      if (pausedMs() === 0) await ask(PROBE, signal).catch(() => undefined)
    }
    if (wakeWhenOn === 'no' || state() === 'failing') return
    const woken = await wakeDeferred(kernel, wakeWhenOn === 'all')
    wakeWhenOn = 'no'
    if (woken > 0) log.info({ documents: woken }, 'documents that waited for the language model go on')
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one check after the other
      await check().catch((error: unknown) =>
        log.warn({ err: error }, 'documents that wait for the language model could not be woken'),
      )
      // oxlint-disable-next-line no-await-in-loop -- one check after the other
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    name: 'model recovery',
    async start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
