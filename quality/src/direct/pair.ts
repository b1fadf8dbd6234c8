/** Two sentences against each other, as though each were a document of its own. */
import type { Relation } from '@concord/service/src/domain/finding.ts'
import { claimsOf } from './reading.ts'
import type { Reading } from './reading.ts'

export type PairVerdict = 'contradiction' | 'equivalent' | 'neutral' | 'abstained'

/** What weighs most among all that two sentences say: a disagreement, then a refinement, then the same. */
const order: readonly Relation[] = ['conflict', 'restatement', 'change', 'refinement', 'same']

export function judgeTexts(reading: Reading, a: string, b: string): PairVerdict {
  const [left, right] = [claimsOf(reading, a), claimsOf(reading, b)]
  const relations = new Set(left.flatMap((x) => right.map((y) => reading.judge(x, y).relation)))
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
