/**
 * How many other claims each claim of one more document is held against, in scopes with ever more documents: all that
 * speak for a group together with it, in other documents.
 */
import { documentOf } from './documents.ts'
import type { Functions, Placed } from './functions.ts'
import { createScope } from './growing-scope.ts'
import type { FiledBatch } from './growing-scope.ts'

export interface Candidates {
  readonly documents: number
  /** Pairs for each claim of one more. */
  readonly pairs: number
}

/** The number of further documents that are looked at; the mean is told. */
const SAMPLE = 50

export function countCandidates(functions: Functions, sizes: readonly number[]): Candidates[] {
  const scope = createScope(functions)
  let number = 0
  const addNext = () => {
    const text = documentOf(number)
    const claims = functions.readClaims(text, functions.readStructure(text))
    number += 1
    return { claims: claims.length, pairs: countPairs(scope.add(`d${number}`, claims), `d${number}`) }
  }
  return sizes.map((documents) => {
    for (let left = documents - number; left > 0; left -= 1) addNext()
    const added = Array.from({ length: SAMPLE }, addNext)
    const sum = (of: 'claims' | 'pairs') => added.reduce((total, each) => total + each[of], 0)
    return { documents, pairs: sum('pairs') / sum('claims') }
  })
}

/** Two that meet in several groups count once. */
function countPairs(groups: ReadonlyMap<string, readonly FiledBatch[]>, documentId: string): number {
  const others = new Map<number, Set<Placed>>()
  for (const group of groups.values()) {
    const strangers = group.flatMap((filed) => (filed.documentId === documentId ? [] : [filed.placed]))
    for (const { no } of group.filter((filed) => filed.documentId === documentId))
      others.set(no, new Set([...(others.get(no) ?? []), ...strangers]))
  }
  return [...others.values()].reduce((sum, { size }) => sum + size, 0)
}
