/**
 * Freezes one worker after the other and lets it go on as if nothing had been: what it has in hand by then may belong to
 * a scope that was emptied meanwhile. Every freeze says how many results came too late when it was over.
 */
import type { Fleet } from '../../harness/fleet.ts'
import { pause, poll, repeat } from '../../harness/loop.ts'
import { pick } from '../../harness/statistics.ts'
import { countLateResults } from './late-results.ts'
import type { Ask } from '../../harness/database.ts'

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

const FROZEN_MS = { min: 1_000, max: 4_000 }
/** Long enough for one that was thawed to send what it has. */
const GAP_MS = { min: 200, max: 600 }
const AIM_MS = 1_000
const ENOUGH_UNDER_WAY = 24

export function startFreezer({ ask, fleet, random }: FreezerOptions) {
  const freezes: Freeze[] = []
  const between = ({ min, max }: { readonly min: number; readonly max: number }) =>
    min + random() * (max - min)

  async function freeze(signal: AbortSignal): Promise<void> {
    const member = pick(
      fleet.members('worker').filter((each) => each.process()),
      random,
    )
    const child = member?.process()
    if (!member || !child) return
    const forMs = between(FROZEN_MS)
    let before = 0
    child.signal('SIGSTOP')
    try {
      await pause(forMs, signal)
      before = await countLateResults(ask)
    } finally {
      child.signal('SIGCONT')
    }
    await pause(between(GAP_MS), signal)
    freezes.push({ name: member.name, forMs, lateResults: (await countLateResults(ask)) - before })
  }

  const { stop } = repeat(async (signal) => {
    // To freeze an idle worker shows nothing, so it waits a little for all to have something in hand.
    const until = (processing: number) => signal.aborted || processing >= ENOUGH_UNDER_WAY
    await poll(() => countProcessing(ask), { until, withinMs: AIM_MS, everyMs: 10 })
    if (!signal.aborted) await freeze(signal)
  })
  return {
    freezes: freezes as readonly Freeze[],
    /** Resolves when every worker goes on. */
    stop,
  }
}

async function countProcessing(ask: Ask): Promise<number> {
  return (await ask(`select from work where state = 'processing'`)).length
}
