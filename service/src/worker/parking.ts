/**
 * The attempts that wait for the language model. An attempt that is not touched for 45 s may count as lost, and an
 * answer may take longer. So all parked attempts are touched every 15 s.
 */
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { AttemptRef } from './readers.ts'

export interface Parking extends Part {
  /** Parks the attempt. Call the returned function to unpark it. */
  park(place: AttemptRef): () => void
  size(): number
}

export interface ParkingDeps {
  readonly touch: (places: readonly AttemptRef[]) => Promise<void>
  readonly everyMs?: number
  readonly log: Log
}

const EVERY_MS = 15_000

export function createParking({ touch, everyMs = EVERY_MS, log }: ParkingDeps): Parking {
  const parked = new Set<AttemptRef>()
  let timer: NodeJS.Timeout | undefined
  let touching: Promise<void> | undefined

  function touchAll(): void {
    if (parked.size === 0 || touching) return
    touching = touch([...parked])
      .catch((error: unknown) =>
        log.warn({ err: error }, 'attempts that wait for the model could not be touched'),
      )
      .finally(() => (touching = undefined))
  }

  return {
    name: 'parked attempts',
    size: () => parked.size,
    park(place) {
      parked.add(place)
      return () => void parked.delete(place)
    },
    async start() {
      timer = setInterval(touchAll, everyMs)
    },
    async stop() {
      clearInterval(timer)
      await touching
    },
  }
}
