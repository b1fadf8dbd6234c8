/** Each would let a hostile document reach beyond its own claims, or its words reach a reader unchanged. */
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export const OPEN_DOORS: readonly Mutation[] = [
  {
    name: 'a document that speaks to the model is compared beside others',
    at: 'comparison.isolate',
    change: rewriteValue(() => 'new Set()'),
  },
  {
    name: 'its claims are witnesses of facts of others',
    at: 'comparison.isolate-facts',
    change: rewriteValue((key) => key.replace(/^.*:\s*/su, '')),
  },
  {
    name: 'a quote is in the words of the model',
    at: 'model.quote',
    change: rewriteValue(() => 'extracted.quote'),
  },
  {
    name: 'names and titles keep all characters of an answer',
    at: 'model.line',
    change: rewriteValue((chain) => chain.replace(/\..*$/su, '')),
  },
]
