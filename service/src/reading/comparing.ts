/**
 * Claims in, disagreements out. Pure: which claims may meet (`keysOf`), which say the same (`valueKeyOf`), what two claims are
 * to each other (`judge`) and what a group of them amounts to (`findIn`).
 */
export { findIn } from './comparing/findings.ts'
export type { Memory } from './comparing/findings.ts'
export { judge } from './comparing/judging.ts'
export { keysOf } from './comparing/keys.ts'
export { valueKeyOf } from './comparing/values.ts'
