/** The finding, in the form that both comparers produce. */
export type * from '@concord/reading/src/finding.ts'
