/** The pure functions of the service that direct mode calls: no server, no database, the same code. */
import type { Claim } from '@concord/service/src/domain/claim.ts'
import type { Finding, Judgement, PlacedClaim } from '@concord/service/src/domain/finding.ts'
import { findIn, judge, keysOf, valueKeyOf } from '@concord/service/src/reading/comparing.ts'
import { readStructure } from '@concord/service/src/reading/structure.ts'
import type { Structure } from '@concord/service/src/reading/structure.ts'

export interface Reading {
  readonly readClaims: (text: string, structure: Structure) => readonly Claim[]
  readonly keysOf: (claim: Claim) => readonly string[]
  readonly valueKeyOf: (claim: Claim) => string
  readonly judge: (a: Claim, b: Claim) => Judgement
  readonly findIn: (key: string, members: readonly PlacedClaim[]) => readonly Finding[]
}

export async function loadReading(): Promise<Reading> {
  const { readClaims } = (await import(claimsModule)) as Pick<Reading, 'readClaims'>
  return { readClaims, keysOf, valueKeyOf, judge, findIn }
}

const claimsModule = ['@concord/service/src/reading', 'claims.ts'].join('/')

export function claimsOf(reading: Reading, text: string): readonly Claim[] {
  return reading.readClaims(text, readStructure(text))
}
