/**
 * The workers of one role on this host: as many as are wanted, each watched. One that ends unasked is replaced, at once
 * the first time and later and later if it keeps happening; one that hangs is ended; one too many finishes and goes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { hatch } from './hatchling.ts'
import type { Hatchling, HatchlingDeps, HatchlingState } from './hatchling.ts'

export type BroodEvent =
  | { readonly kind: 'worker.hatched'; readonly id: string }
  | { readonly kind: 'worker.retired'; readonly id: string; readonly reason: string }
  | { readonly kind: 'worker.lost'; readonly id: string; readonly silentMs: number }

export interface BroodDeps extends Pick<HatchlingDeps, 'entry' | 'args' | 'environment' | 'monotonicMs'> {
  readonly random: () => number
  readonly tell: (event: BroodEvent) => void
  readonly log: Log
}

export interface RunningBrood extends Part {
  want(number: number): void
  counts(): { readonly running: number; readonly starting: number }
}

const LOOK_EVERY_MS = 250
/** It speaks every second; coming up takes a moment longer. */
const HUNG_MS = 10_000
const HATCHING_MS = 30_000
/** Longer than a worker gives itself. */
const RETIRING_MS = 30_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A process of this age did not die of how it was started. */
const GROWN_UP_MS = 60_000

export function createBrood(deps: BroodDeps): RunningBrood {
  const { monotonicMs, log } = deps
  const hatchlings = new Set<Hatchling>()
  const caution = createCaution(monotonicMs, deps.random)
  let wanted = 0
  let timer: NodeJS.Timeout | undefined
  let stopping = false

  const living = () =>
    [...hatchlings].filter((each) => each.state() === 'hatching' || each.state() === 'running')

  const count = (state: HatchlingState) => living().filter((each) => each.state() === state).length

  function onEnd(hatchling: Hatchling, how: string): void {
    hatchlings.delete(hatchling)
    const id = hatchling.id()
    if (hatchling.state() === 'retiring') {
      log.info({ worker: id, how }, 'worker retired')
      deps.tell({ kind: 'worker.retired', id, reason: stopping ? 'hatchery_stops' : 'not_needed' })
      return
    }
    log.warn({ worker: id, how }, 'worker lost')
    deps.tell({ kind: 'worker.lost', id, silentMs: Math.round(hatchling.silentMs()) })
    caution.noteMishap(hatchling.ageMs())
  }

  function onUp(hatchling: Hatchling): void {
    log.info({ worker: hatchling.id() }, 'worker hatched')
    deps.tell({ kind: 'worker.hatched', id: hatchling.id() })
  }

  function endTheHung(): void {
    for (const each of hatchlings) {
      if (!isOverdue(each)) continue
      log.warn(
        { worker: each.id(), state: each.state(), silent_ms: each.silentMs() },
        'worker ended by force',
      )
      each.end()
    }
  }

  function hatchMissing(missing: number): void {
    for (let left = caution.allowed(missing); left > 0; left -= 1)
      hatchlings.add(hatch({ ...deps, onUp, onEnd }))
  }

  function look(): void {
    endTheHung()
    const alive = living()
    if (alive.some((each) => each.state() === 'running' && each.ageMs() > GROWN_UP_MS)) caution.forget()
    if (alive.length < wanted) hatchMissing(wanted - alive.length)
    // The youngest first: the others are warm.
    for (const each of alive.slice(wanted)) each.retire()
  }

  return {
    name: 'brood',
    stopWithinMs: RETIRING_MS + 5_000,
    want(number) {
      wanted = number
    },
    counts: () => ({ running: count('running'), starting: count('hatching') }),
    async start() {
      timer = setInterval(look, LOOK_EVERY_MS)
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      for (const each of living()) each.retire()
      while (hatchlings.size > 0) {
        endTheHung()
        // oxlint-disable-next-line no-await-in-loop -- until the last one is gone
        await delay(20)
      }
    },
  }
}

function isOverdue(each: Hatchling): boolean {
  switch (each.state()) {
    case 'hatching':
      return each.silentMs() > HATCHING_MS
    case 'running':
      return each.silentMs() > HUNG_MS
    case 'retiring':
      return each.retiringMs() > RETIRING_MS
    case 'doomed':
      return false
  }
}

/** How fast those that are missing may be hatched, after how those before them ended. */
function createCaution(monotonicMs: () => number, random: () => number) {
  /** Ends in a row that nobody asked for. */
  let mishaps = 0
  let notBefore = 0
  return {
    noteMishap(ageMs: number): void {
      mishaps = ageMs > GROWN_UP_MS ? 1 : mishaps + 1
      notBefore = monotonicMs() + pauseAfter(mishaps, random())
    },
    forget(): void {
      mishaps = 0
    },
    /** After a mishap one at a time: if that one lives, the others will. */
    allowed(missing: number): number {
      if (monotonicMs() < notBefore) return 0
      if (mishaps === 0) return missing
      notBefore = monotonicMs() + FIRST_PAUSE_MS
      return 1
    },
  }
}

/** None after the first mishap, then twice as long each time, and not in step with other hosts. */
function pauseAfter(mishaps: number, random: number): number {
  if (mishaps <= 1) return 0
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (mishaps - 2)) * (0.5 + random / 2)
}
