/** The pure functions that read and compare, loaded by their place: a package is no way into another one's inside. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A measured function takes and gives it, and looks at none of it. */
export type MeasuredClaim = object

export interface Placed {
  readonly documentId: string
  readonly version: number
  readonly no: number
  readonly claim: MeasuredClaim
}

/** A claim's place in a group. */
export interface Ranked {
  readonly documentId: string
  readonly no: number
  readonly valueRank: bigint
  readonly claimRank: bigint
}

export interface Functions {
  readStructure(text: string): object
  readClaims(text: string, structure: object): readonly MeasuredClaim[]
  keysOf(claim: MeasuredClaim): readonly string[]
  valueKeyOf(claim: MeasuredClaim): string
  findIn(key: string, members: readonly Placed[], memory: WeakMap<MeasuredClaim, never>): readonly object[]
  representativesOf<Each extends Ranked>(claims: readonly Each[]): Each[]
}

const REPOSITORY = join(import.meta.dirname, '..', '..', '..')

export async function loadFunctions(): Promise<Functions> {
  const files = [
    'reading/src/structure.ts',
    'reader-rules/src/claims.ts',
    'reader-rules/src/comparing.ts',
    'service/src/domain/representatives.ts',
  ]
  const modules = files.map((file) => import(pathToFileURL(join(REPOSITORY, file)).href))
  return Object.assign({}, ...(await Promise.all(modules))) as Functions
}
