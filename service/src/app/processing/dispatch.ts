/** Dispatches work from the backlog to the broker, and recalls work that the broker lost. */
import type { WorkQueue } from '../../engine/work-queue.ts'
import { createBacklogCursor } from '../../store/processing/backlog-hops.ts'
import type { BacklogCursor } from '../../store/processing/backlog-hops.ts'
import type { Pool } from '../../store/pools.ts'
import {
  countDispatched,
  releaseLeases,
  recallWork,
  dispatchWork,
  renewLeases,
  selectLastTicket,
} from '../../store/processing/dispatch.ts'
import type { RecallAge, DispatchedWork } from '../../store/processing/dispatch.ts'

export interface WorkDispatchDeps {
  /** Runs as the kernel role. */
  readonly kernel: Pool
  readonly queue: WorkQueue
  readonly holder: string
  readonly leaseSeconds: number
  /** The maximum number of documents in flight (at the broker or at workers), over all shards of this holder. */
  readonly window: number
  /** The maximum number of documents of one tenant in the priority queue. */
  readonly priority: number
}

export interface WorkDispatch {
  renewLeases(): Promise<readonly number[]>
  releaseLeases(): Promise<void>
  /** Fills the window and returns how many documents were dispatched. Their messages may still be unsent when it resolves. */
  dispatch(shards: readonly number[]): Promise<number>
  /** Resolves when all messages have been sent. */
  sent(): Promise<void>
  /** Compares what the broker holds with what it should hold. Returns how many documents were recalled. */
  reconcile(shards: readonly number[]): Promise<number>
}

/** Longer than a message lease of the broker plus its redelivery. */
const READY_RECALL_SECONDS = 12
/** Longer than the longest attempt. */
const PROCESSING_RECALL_SECONDS = 45

export function createWorkDispatch(deps: WorkDispatchDeps): WorkDispatch {
  let sending = Promise.resolve()
  const cursor = createBacklogCursor()
  return {
    renewLeases: () => renewLeases(deps.kernel, deps.holder, deps.leaseSeconds),
    releaseLeases: () => releaseLeases(deps.kernel, deps.holder),
    async dispatch(shards) {
      // @point dispatch.fill-window
      const dispatched = await fillWindow(deps, shards, cursor)
      // The next batch is chosen while this one is sent, so an urgent document waits for the broker once, not twice.
      await sending
      sending = send(deps, dispatched)
      return dispatched.length
    },
    sent: () => sending,
    async reconcile(shards) {
      // Work that is dispatched but not sent yet cannot be at the broker.
      await sending
      const before = await selectLastTicket(deps.kernel)
      // @point dispatch.inspect-queue
      const state = await deps.queue.inspect()
      const lookedAt = performance.now()
      const isMissing = await outnumbers(deps.kernel, before, state.held)
      // The queue has aged since the inspection; messages sent to it meanwhile are not lost.
      const ageSeconds = (state.ageMs + performance.now() - lookedAt) / 1_000
      // @point dispatch.recall
      return recallWork(deps.kernel, shards, recallAgeOf(ageSeconds, isMissing))
    },
  }
}

/**
 * True if more work is in flight than the broker holds messages. Work that was dispatched during the inspection does not count, because
 * it is newer than the broker's answer. Work that was completed meanwhile is no longer in flight.
 */
async function outnumbers(kernel: Pool, lastTicket: string | undefined, held: number): Promise<boolean> {
  return lastTicket !== undefined && (await countDispatched(kernel, lastTicket)) > held
}

async function fillWindow(
  { kernel, queue, holder, window, priority }: WorkDispatchDeps,
  shards: readonly number[],
  cursor: BacklogCursor,
): Promise<readonly DispatchedWork[]> {
  // Without a reachable broker, dispatched work would only have to be recalled later.
  if (shards.length === 0 || !queue.isReachable()) return []
  return dispatchWork(kernel, { holder, shards, window, priority, cursor })
}

/**
 * Sends the messages after the dispatch is committed. A message that is never sent is recalled, but a worker would drop one that is
 * sent before the commit as stale.
 */
async function send({ queue }: WorkDispatchDeps, dispatched: readonly DispatchedWork[]): Promise<void> {
  // Messages that could not be sent because the broker went away are recalled.
  // @point dispatch.send
  await queue.publish(dispatched).catch(() => undefined)
}

/**
 * Returns the age at which work counts as lost. A recreated queue has lost every message sent before its creation; attempts in
 * progress get some time to complete. Otherwise messages are missing only if the broker holds fewer than are in flight. Which ones
 * is unknown, so the ones that have waited longest are recalled first. The queue holds the messages of all shards,
 * so the work in flight is counted over all shards too; otherwise the messages of a busy dispatcher would hide the lost ones of another.
 */
function recallAgeOf(ageSeconds: number, isMissing: boolean): RecallAge {
  const atMost = (usual: number) => (isMissing ? Math.min(ageSeconds, usual) : ageSeconds)
  return {
    readySeconds: atMost(READY_RECALL_SECONDS),
    processingSeconds: Math.max(READY_RECALL_SECONDS, atMost(PROCESSING_RECALL_SECONDS)),
  }
}
