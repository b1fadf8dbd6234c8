/** The pure functions of the service that direct mode calls: no server, no database, the same code. */
import type { LocatedClaim } from '@concord/service/src/domain/claim.ts'
import { readClaims } from '@concord/reader-rules/src/claims.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

export { findIn, judge, keysOf, valueKeyOf } from '@concord/reader-rules/src/comparing.ts'

export function claimsOf(text: string): readonly LocatedClaim[] {
  return readClaims(text, readStructure(text))
}
