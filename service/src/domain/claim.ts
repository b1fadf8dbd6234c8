/** The claim, in the one form that both readers give it. */
import type { Claim as ReadClaim } from '@concord/reading/src/claim.ts'
import type { FileLocation } from './file-layout.ts'

export { STATED_MODALITIES } from '@concord/reading/src/claim.ts'
export type * from '@concord/reading/src/claim.ts'

export interface LocatedClaim extends ReadClaim {
  /** Where it stands in the file that its text was read from; missing where the text itself was sent. */
  readonly location?: FileLocation
}
