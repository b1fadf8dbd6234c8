/** The mutations that make the outcome depend on the order in which documents arrive. */
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export const BY_ARRIVAL: Mutation = {
  name: 'those who came first represent a group for good',
  // The list that is spread first has those who were there before.
  at: 'comparison.choose-representatives',
  change: rewriteValue((chosen) => chosen.replace(/^.*?\[\.\.\.(\w+).*$/, '$1.length > 1 ? $1 : $&')),
}

export const SIDES_BY_ARRIVAL: Mutation = {
  name: 'the side that was compared first stays the first',
  at: 'comparison.order-sides',
  change: rewriteValue((ordered) => ordered.replace(/^\w+\((.*)\)$/, '[$1]')),
}
