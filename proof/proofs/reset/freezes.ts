/**
 * Freezes one worker after the other and lets it go on as if nothing had been: what it has in hand by then may belong to
 * a scope that was emptied meanwhile. Every freeze says how many results came too late when it was over.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Fleet } from '../../harness/fleet.ts'
import { countLateResults } from './late-results.ts'
import type { Ask } from '../../harness/control/questions.ts'

export interface Freeze {
  readonly name: string
  readonly forMs: number
  readonly lateResults: number
}

export interface FreezerOptions {
  readonly ask: Ask
  readonly fleet: Fleet
  readonly random: () => number
}

export interface Freezer {
  readonly freezes: readonly Freeze[]
  /** Resolves when everybody goes on. */
  stop(): Promise<void>
}

const FROZEN_MS = { min: 1_000, max: 4_000 }
/** Long enough for one that was thawed to send what it has. */
const GAP_MS = { min: 200, max: 600 }
const AIM_MS = 1_000
const AIM_PAUSE_MS = 10
const ENOUGH_UNDER_WAY = 24

export function startFreezer({ ask, fleet, random }: FreezerOptions): Freezer {
  const stopping = new AbortController()
  const freezes: Freeze[] = []
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  const between = ({ min, max }: { readonly min: number; readonly max: number }) =>
    min + random() * (max - min)

  /** Waits a little for all workers to have something in hand; to freeze an idle one shows nothing. */
  async function aim(): Promise<void> {
    const deadline = performance.now() + AIM_MS
    while (!stopping.signal.aborted && performance.now() < deadline) {
      const [row] = await ask<{ count: number }>(
        `select count(*)::int as count from work where state = 'processing'`,
      )
      if ((row?.count ?? 0) >= ENOUGH_UNDER_WAY) return
      await pause(AIM_PAUSE_MS)
    }
  }

  async function freeze(): Promise<void> {
    const workers = fleet.members('worker').filter((member) => member.process())
    const member = workers[Math.floor(random() * workers.length)]
    const child = member?.process()
    if (!member || !child) return
    const forMs = between(FROZEN_MS)
    let before = 0
    child.signal('SIGSTOP')
    try {
      await pause(forMs)
      before = await countLateResults(ask)
    } finally {
      child.signal('SIGCONT')
    }
    await pause(between(GAP_MS))
    freezes.push({ name: member.name, forMs, lateResults: (await countLateResults(ask)) - before })
  }

  async function keepFreezing(): Promise<void> {
    while (!stopping.signal.aborted) {
      await aim()
      if (!stopping.signal.aborted) await freeze()
    }
  }

  const freezing = keepFreezing()
  // Whoever stops it is told; until then nobody is there to be.
  freezing.catch(() => undefined)
  return {
    freezes,
    async stop() {
      stopping.abort()
      await freezing
    },
  }
}
