/** The pure functions of the service that direct mode calls: no server, no database, the same code. */
import type { Claim } from '@concord/service/src/domain/claim.ts'
import { readClaims } from '@concord/service/src/reading/claims.ts'
import { readStructure } from '@concord/service/src/reading/structure.ts'

export { findIn, judge, keysOf, valueKeyOf } from '@concord/service/src/reading/comparing.ts'

export function claimsOf(text: string): readonly Claim[] {
  return readClaims(text, readStructure(text))
}
