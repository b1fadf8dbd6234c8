/** Releasing work from the backlog to the broker, and taking back what the broker lost. */
import type { WorkQueue } from '../../engine/work-queue.ts'
import { createBacklogPlace } from '../../store/processing/backlog-hops.ts'
import type { BacklogPlace } from '../../store/processing/backlog-hops.ts'
import type { Pool } from '../../store/pools.ts'
import {
  countReleased,
  giveUpLeases,
  recallWork,
  releaseWork,
  renewLeases,
  selectLastTicket,
} from '../../store/processing/releasing.ts'
import type { RecallAge, ReleasedWork } from '../../store/processing/releasing.ts'

export interface ReleasingDeps {
  /** Runs as the kernel role. */
  readonly kernel: Pool
  readonly queue: WorkQueue
  readonly holder: string
  readonly leaseSeconds: number
  /** How much may be with the broker and the workers at once, of the shards that this holder has together. */
  readonly window: number
  /** How many documents of each tenant may be in the priority queue at once. */
  readonly priority: number
}

export interface Releasing {
  renewLeases(): Promise<readonly number[]>
  giveUpLeases(): Promise<void>
  /** Fills the window; returns how many were released. Their notes may still be on their way, those of one release. */
  release(shards: readonly number[]): Promise<number>
  /** Resolves when no note is on its way. */
  sent(): Promise<void>
  /** Compares what the broker holds with what it should; returns how many were taken back. */
  reconcile(shards: readonly number[]): Promise<number>
}

/** Longer than a lease in the broker plus its redelivery. */
const READY_RECALL_SECONDS = 12
/** Longer than the longest attempt. */
const PROCESSING_RECALL_SECONDS = 45

export function createReleasing(deps: ReleasingDeps): Releasing {
  let sending = Promise.resolve()
  const place = createBacklogPlace()
  return {
    renewLeases: () => renewLeases(deps.kernel, deps.holder, deps.leaseSeconds),
    giveUpLeases: () => giveUpLeases(deps.kernel, deps.holder),
    async release(shards) {
      // @point dispatch.fill-window
      const released = await fillWindow(deps, shards, place)
      // The next ones are chosen while these are sent: whoever is in a hurry waits for the broker once, not twice.
      await sending
      sending = send(deps, released)
      return released.length
    },
    sent: () => sending,
    async reconcile(shards) {
      // Released, but not sent yet: the broker cannot have it.
      await sending
      const before = await selectLastTicket(deps.kernel)
      // @point dispatch.inspect-queue
      const state = await deps.queue.inspect()
      const lookedAt = performance.now()
      const isMissing = await outnumbers(deps.kernel, before, state.held)
      // It has aged meanwhile, and what was sent to it since is not lost.
      const ageSeconds = (state.ageMs + performance.now() - lookedAt) / 1_000
      // @point dispatch.recall
      return recallWork(deps.kernel, shards, recallAgeOf(ageSeconds, isMissing))
    },
  }
}

/**
 * Whether more is out than the broker holds. What was released while the broker was asked does not count: it is newer than
 * its answer. What was finished meanwhile is not out any more.
 */
async function outnumbers(kernel: Pool, lastTicket: string | undefined, held: number): Promise<boolean> {
  return lastTicket !== undefined && (await countReleased(kernel, lastTicket)) > held
}

async function fillWindow(
  { kernel, queue, holder, window, priority }: ReleasingDeps,
  shards: readonly number[],
  place: BacklogPlace,
): Promise<readonly ReleasedWork[]> {
  // Released into nowhere, work would only have to be recalled later.
  if (shards.length === 0 || !queue.isReachable()) return []
  return releaseWork(kernel, { holder, shards, window, priority, place })
}

/**
 * Only once the release is committed: a note that is never sent is recalled, but one sent before the commit could be
 * claimed by nobody and would be dropped as stale.
 */
async function send({ queue }: ReleasingDeps, released: readonly ReleasedWork[]): Promise<void> {
  // Messages that were not sent because the broker went away just then are recalled.
  // @point dispatch.send
  await queue.publish(released).catch(() => undefined)
}

/**
 * A queue made anew has lost every note at once: whatever was sent before. Who made it, and who was there then, does not
 * matter. What is being worked on may still come to its end for a while. Otherwise notes are missing only when fewer are
 * held than are out; which ones cannot be told, so those that have waited longest go first. The queue holds the notes of
 * all shards, so what is out is counted over all of them too: else the notes of a busy dispatcher would stand in for the
 * lost ones of another.
 */
function recallAgeOf(ageSeconds: number, isMissing: boolean): RecallAge {
  const atMost = (usual: number) => (isMissing ? Math.min(ageSeconds, usual) : ageSeconds)
  return {
    readySeconds: atMost(READY_RECALL_SECONDS),
    processingSeconds: Math.max(READY_RECALL_SECONDS, atMost(PROCESSING_RECALL_SECONDS)),
  }
}
