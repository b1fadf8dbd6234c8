/** Changes of the copy that is proved: one that every run needs, and those that would let something unread pass for read. */
import { rewrite, rewriteCondition, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { FAULT } from './kinds.ts'

/** No text is known on which the real reader throws, so a copy of it is made to throw on claims with one word. */
export const FAULTY_READER: Mutation = {
  name: `the reader throws on a claim with the word ${FAULT}`,
  at: 'reading.quote',
  change: rewriteValue(
    (quote) =>
      `((words) => { if (words.includes('${FAULT}')) throw new Error('a word of a text'); return words })(${quote})`,
  ),
}

export const BLIND_SPOTS: readonly Mutation[] = [
  {
    name: 'the gap of a document is not stored',
    at: 'attempt.complete.gap',
    change: rewriteValue(() => 'null'),
  },
  {
    name: 'coverage counts documents and not characters',
    at: 'convergence.coverage',
    change: rewrite((line) => line.replace(/share_of\([^)]*\)/, 'share_of(new.settled, accepted)')),
  },
  {
    name: 'only what is in another language counts as unread',
    at: 'reading.unread',
    change: rewriteCondition((test) => test.replace(/^(\w+) .*$/, "$1 === 'language'")),
  },
  {
    name: 'a passage on which the reader throws counts as read',
    at: 'reading.passage-failed',
    change: rewriteValue(() => 'null'),
  },
  {
    name: 'claims that were not compared count as agreed',
    at: 'convergence.agreement',
    change: rewrite((line) => line.replace(/share_of\(.*\);/, 'share_of(new.claims, new.claims);')),
  },
  {
    name: 'encoded bytes pass for text',
    at: 'reading.format',
    change: rewriteValue(() => `({ format: 'text', blocks: [] })`),
  },
]

export const MODEL_BLIND_SPOTS: readonly Mutation[] = [
  {
    name: 'windows that the model did not answer count as read',
    at: 'model.unread-windows',
    change: rewriteValue(() => '[]'),
  },
  {
    name: 'the model is asked about the first window of a long text alone',
    at: 'model.windows',
    change: rewriteValue((windows) => `${windows}.slice(0, 1)`),
  },
  {
    name: 'quotes that are not in the text are not counted',
    at: 'model.dropped-quotes',
    change: rewriteValue(() => '0'),
  },
  {
    name: 'facts that the model declines to compare count as compared',
    at: 'comparison.declined',
    change: rewriteValue(() => '[]'),
  },
]
