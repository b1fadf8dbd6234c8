/**
 * Claims in, disagreements out. Pure: which claims may meet (`keysOf`), which say the same (`valueKeyOf`), what two claims are
 * to each other (`judge`), what a group of them amounts to (`findIn`) and what in it is left open (`openIn`).
 */
export { findIn, findShown, openIn } from './comparing/findings.ts'
export type { Memory, OpenPair, ShownFinding, Verdicts } from './comparing/findings.ts'
export { judge } from './comparing/judging.ts'
export { keysOf } from './comparing/keys.ts'
export { valueKeyOf } from '@concord/reading/src/values/keys.ts'
