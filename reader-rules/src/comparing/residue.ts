/** How much speaks for asking somebody else about two claims that rules do not decide on. */
import type { Judgement } from '@concord/reading/src/finding.ts'
import type { Prepared } from './prepared.ts'
import { reportedFrom } from './scoring.ts'

/** Rules are sure of other periods, subjects, units and kinds; of words they are not. */
const doubtful: ReadonlySet<string> = new Set(['other_attribute', 'other_modality', 'other_qualifier'])

const leastScore = 0.3
const leastShared = 0.4

/** 0 where there is nothing to ask; what rules hold for a finding, however weakly, comes before all they cannot compare. */
export function tellingOf(a: Prepared, b: Prepared, { relation, reason, score }: Judgement): number {
  if (relation === 'same' || relation === 'refinement') return 0
  if (relation !== 'not_comparable') return score >= leastScore && score < reportedFrom ? score : 0
  if (!doubtful.has(reason)) return 0
  const shared = sharedWords(a, b)
  return shared >= leastShared ? Math.round(shared * leastScore * 100) / 100 : 0
}

/** The words in common among all words that say what both are about. */
function sharedWords({ claim: a }: Prepared, { claim: b }: Prepared): number {
  const x = new Set([...a.attribute.words, ...a.subject.words])
  const y = new Set([...b.attribute.words, ...b.subject.words])
  const shared = [...x].filter((word) => y.has(word)).length
  return shared < 2 ? 0 : shared / Math.min(x.size, y.size)
}
