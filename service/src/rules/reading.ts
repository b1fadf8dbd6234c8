/** The rule reader behind the seam of readers. No other file of the service that reads documents imports its package. */
import { keysOf, valueKeyOf } from '@concord/reader-rules/src/comparing.ts'
import { readDocument } from '@concord/reader-rules/src/document.ts'
import type { DocumentReading } from '@concord/reader-rules/src/document.ts'
import type { LocatedClaim } from '../domain/claim.ts'

/** A claim with the keys of the groups that it is compared in, and the key that it shares with claims that say the same. */
export interface KeyedRuleClaim {
  readonly claim: LocatedClaim
  readonly keys: readonly string[]
  readonly valueKey: string
}

export interface RuleReading extends Pick<DocumentReading, 'structure' | 'report'> {
  readonly claims: readonly KeyedRuleClaim[]
}

export function readByRules(text: string): RuleReading {
  const { structure, report, claims } = readDocument(text)
  return {
    structure,
    report,
    claims: claims.map((claim) => ({ claim, keys: keysOf(claim), valueKey: valueKeyOf(claim) })),
  }
}
