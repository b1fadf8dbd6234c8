/** Two sentences against each other, as though each were a document of its own. */
import type { Relation } from '@concord/service/src/domain/finding.ts'
import { claimsOf, judge } from './reading.ts'

export type DirectPairVerdict = 'contradiction' | 'equivalent' | 'neutral' | 'abstained'

/** The heaviest relation among all that two sentences say: a disagreement, then a refinement, then the same. */
const order: readonly Relation[] = ['conflict', 'restatement', 'change', 'refinement', 'same']

export function judgeTexts(a: string, b: string): DirectPairVerdict {
  const [left, right] = [claimsOf(a), claimsOf(b)]
  const relations = new Set(left.flatMap((x) => right.map((y) => judge(x, y).relation)))
  switch (order.find((relation) => relations.has(relation))) {
    case 'conflict':
    case 'restatement':
    case 'change':
      return 'contradiction'
    case 'same':
      return 'equivalent'
    case 'refinement':
      return 'neutral'
    default:
      return 'abstained'
  }
}
