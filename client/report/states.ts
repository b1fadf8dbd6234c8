/** The meaning of each state of a scope, in half a sentence. */
import type { Convergence } from '../src/index.ts'

export const STATES: Readonly<Record<Convergence['state'], string>> = {
  empty: 'no document was accepted',
  working: 'documents are still being read or compared',
  contested: 'a contradiction of severity high or critical is open',
  converging: 'something is in the way',
  unassessed: 'too little was compared to say anything about it',
  settled: 'everything was read, and nothing is open that was found',
}
