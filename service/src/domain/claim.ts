/** The claim, in the one form that both readers give it. */
export { STATED_MODALITIES } from '@concord/reading/src/claim.ts'
export type * from '@concord/reading/src/claim.ts'
