/** The mutations of --sabotage, each for another part of the proof to notice. */
import { rewriteCondition, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

/** Policies are stored with their form in Cedar's JSON, which names the effect. */
const PERMITS = `(policy) => JSON.stringify(policy).includes('"effect":"permit"')`

export const POLICY_SABOTAGES: readonly Mutation[] = [
  {
    name: 'of what ships only that which permits is asked',
    at: 'policy.load',
    change: rewriteValue((loaded) => loaded.replace(/ \? (.+) : /, ` ? $1?.filter(${PERMITS}) : `)),
  },
  {
    name: 'a worker goes on with the policies that it remembers',
    at: 'policy.cache',
    change: rewriteCondition((isCurrent) => isCurrent.replace(/ && .*/, '')),
  },
]
