/** The pure functions of the service that direct mode calls: no server, no database, the same code. */
import type { Claim } from '@concord/service/src/domain/claim.ts'
import type { Finding, Judgement, PlacedClaim } from '@concord/service/src/domain/finding.ts'
import { readStructure } from '@concord/service/src/reading/structure.ts'
import type { Structure } from '@concord/service/src/reading/structure.ts'

export interface Reading {
  readonly readClaims: (text: string, structure: Structure) => readonly Claim[]
  readonly keysOf: (claim: Claim) => readonly string[]
  readonly valueKeyOf: (claim: Claim) => string
  readonly judge: (a: Claim, b: Claim) => Judgement
  readonly findIn: (key: string, members: readonly PlacedClaim[]) => readonly Finding[]
}

type Claims = Pick<Reading, 'readClaims'>
type Comparing = Omit<Reading, 'readClaims'>

export async function loadReading(): Promise<Reading> {
  const folder = '@concord/service/src/reading'
  const { readClaims } = (await import(`${folder}/claims.ts`)) as Claims
  const { keysOf, valueKeyOf, judge, findIn } = (await import(`${folder}/comparing.ts`)) as Comparing
  return { readClaims, keysOf, valueKeyOf, judge, findIn }
}

export function claimsOf(reading: Reading, text: string): readonly Claim[] {
  return reading.readClaims(text, readStructure(text))
}
