/** Releasing work from the backlog to the broker, and taking back what the broker lost. */
import { lineFor, noteReleased, STILL } from '../domain/dispatch-line.ts'
import type { QueueState, WorkQueue } from '../engine/work-queue.ts'
import type { Pool } from '../store/pools.ts'
import { countReleased, giveUpLeases, recallWork, releaseWork, renewLeases } from '../store/releasing.ts'

export interface ReleasingDeps {
  /** As the kernel role. */
  readonly kernel: Pool
  readonly queue: WorkQueue
  readonly holder: string
  readonly leaseSeconds: number
  /** How much may be with the broker and the workers at once, of the shards that this holder has together. */
  readonly window: number
}

export interface Releasing {
  renewLeases(): Promise<readonly number[]>
  giveUpLeases(): Promise<void>
  /** Fills the window; returns how many were released. */
  release(shards: readonly number[]): Promise<number>
  /** Compares what the broker holds with what it should; returns how many were taken back. */
  reconcile(shards: readonly number[]): Promise<number>
}

/** Longer than a lease in the broker plus its redelivery. */
const READY_PATIENCE_SECONDS = 12
/** Longer than the longest attempt. */
const PROCESSING_PATIENCE_SECONDS = 45

export function createReleasing(deps: ReleasingDeps): Releasing {
  let incarnation: string | undefined
  let flow = STILL
  return {
    renewLeases: () => renewLeases(deps.kernel, deps.holder, deps.leaseSeconds),
    giveUpLeases: () => giveUpLeases(deps.kernel, deps.holder),
    async release(shards) {
      const released = await fillWindow(deps, shards, lineFor(flow))
      flow = noteReleased(flow, performance.now(), released)
      return released
    },
    async reconcile(shards) {
      const state = await deps.queue.inspect()
      const lostAll = incarnation !== undefined && incarnation !== state.incarnation
      incarnation = state.incarnation
      return recall(deps, shards, state, lostAll)
    },
  }
}

async function fillWindow(
  { kernel, queue, holder, window }: ReleasingDeps,
  shards: readonly number[],
  line: number,
): Promise<number> {
  // Released into nowhere, work would only have to be recalled later.
  if (shards.length === 0 || !queue.isReachable()) return 0
  // The commit comes first: a note that is never sent is recalled, but one sent before the commit could be claimed
  // by nobody and would be dropped as stale.
  const released = await releaseWork(kernel, { holder, shards, window, line })
  await queue.publish(released)
  return released.length
}

/**
 * A queue made anew has lost every note at once. Otherwise notes are missing only when fewer are held than are out;
 * which ones cannot be told, so those that have waited longest go first. The queue holds the notes of all shards, so what
 * is out is counted over all of them too: else the notes of a busy dispatcher would stand in for the lost ones of another.
 */
async function recall(
  { kernel }: ReleasingDeps,
  shards: readonly number[],
  state: QueueState,
  lostAll: boolean,
): Promise<number> {
  if (lostAll)
    return recallWork(kernel, shards, { readySeconds: 0, processingSeconds: READY_PATIENCE_SECONDS })
  if ((await countReleased(kernel)) <= state.held) return 0
  return recallWork(kernel, shards, {
    readySeconds: READY_PATIENCE_SECONDS,
    processingSeconds: PROCESSING_PATIENCE_SECONDS,
  })
}
