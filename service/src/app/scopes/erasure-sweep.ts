/**
 * Continues resets and deletions of scopes whose process has stopped. Every API process looks for them. The lock of the head keeps two
 * processes from deleting in one scope at a time.
 */
import type { Part } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import { selectIdleErasures } from '../../store/scopes/erasures.ts'
import type { ErasureRef } from '../../store/scopes/erasures.ts'
import { resumeErasure } from './erasures.ts'
import type { ErasureDeps } from './erasures.ts'

export interface ErasureSweepDeps extends ErasureDeps {
  readonly log: Log
  /** An erasure without progress for this long is taken over. */
  readonly idleMs?: number
  readonly everyMs?: number
}

export interface ErasureSweep extends Part {
  /** Runs once. Returns how many erasures it completed. */
  sweep(): Promise<number>
}

/** A batch takes about fifty milliseconds. */
const IDLE_MS = 5_000
const EVERY_MS = 5_000
const MAX_ERASURES = 10

export function createErasureSweep(deps: ErasureSweepDeps): ErasureSweep {
  const { log, idleMs = IDLE_MS, everyMs = EVERY_MS } = deps
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<number> | undefined

  async function goOn(ref: ErasureRef): Promise<number> {
    log.warn(ref, 'a reset or deletion of a scope stands still; this process goes on with it')
    return (await resumeErasure(deps, ref, stopping.signal)) ? 1 : 0
  }

  async function sweepAll(): Promise<number> {
    let ended = 0
    for (const ref of await selectIdleErasures(deps.pools.kernel, idleMs, MAX_ERASURES))
      // oxlint-disable-next-line no-await-in-loop -- one scope after the other
      ended += await goOn(ref)
    return ended
  }

  const sweep = (): Promise<number> => (underWay ??= sweepAll().finally(() => (underWay = undefined)))
  const look = () =>
    sweep().catch((error: unknown) =>
      log.warn({ err: error }, 'erasures could not be continued; they are tried again'),
    )
  return {
    name: 'erasure sweep',
    sweep,
    async start() {
      timer = setInterval(() => void look(), everyMs)
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await underWay?.catch(() => undefined)
    },
  }
}
