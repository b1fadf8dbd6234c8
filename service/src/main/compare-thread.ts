/** The thread of a worker for heavy comparisons. */
import type { CompleteHeavy } from '../app/processing/attempts.ts'
import { toCompletionJob } from '../app/comparing/comparison-jobs.ts'
import type { ComparisonAnswer, ComparisonJob } from '../app/comparing/comparison-jobs.ts'
import type { GroupStepDeps } from '../app/comparing/group-steps.ts'
import { createJobThread } from '../hatchery/job-thread.ts'
import type { MasterKeyBytes } from '../platform/config.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface ComparerData {
  /** The database URL, with the role of the worker. */
  readonly url: string
  readonly masterKeys: readonly MasterKeyBytes[]
  readonly logLevel: string
}

/** A document of 400 claims with full groups takes about a second on an idle machine, and 300 MB. */
const LIMITS = { maxHeapMb: 768, maxJobMs: 60_000, idleMs: 60_000 }

export interface CompareThread extends Part {
  readonly completeHeavy: CompleteHeavy
  readonly compareGroups: GroupStepDeps['compare']
}

export function openCompareThread(connection: Omit<ComparerData, 'logLevel'>, log: Log): CompareThread {
  const entry = new URL('./comparer.ts', import.meta.url)
  const data: ComparerData = { ...connection, logLevel: log.level }
  const thread = createJobThread<ComparisonJob, ComparisonAnswer>({ ...LIMITS, entry, data, log })
  return {
    ...thread,
    name: 'compare thread',
    stopWithinMs: 20_000,
    completeHeavy: async (results) => (await thread.run(toCompletionJob(results))).outcomes ?? [],
    async compareGroups(taken) {
      const { groups } = await thread.run({ kind: 'groups', taken })
      if (!groups) throw new Error('the answer of the thread has no groups')
      return groups
    },
  }
}
