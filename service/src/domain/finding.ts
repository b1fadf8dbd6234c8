/** The finding, in the one form that both comparers give it. */
export type * from '@concord/reading/src/finding.ts'
