/** The rule comparer behind the seam of comparers. No other file of the service that compares claims imports its package. */
export { findShown, keysOf, openIn, valueKeyOf } from '@concord/reader-rules/src/comparing.ts'
export type { Memory, OpenPair, ShownFinding, Verdicts } from '@concord/reader-rules/src/comparing.ts'
