/** The claim, in the form that both readers produce. */
import type { Claim as ReadClaim } from '@concord/reading/src/claim.ts'
import type { FileLocation } from './file-layout.ts'

export { STATED_MODALITIES } from '@concord/reading/src/claim.ts'
export type * from '@concord/reading/src/claim.ts'

export interface LocatedClaim extends ReadClaim {
  /** The location in the file that the text was read from; missing if the text itself was sent. */
  readonly location?: FileLocation
}
