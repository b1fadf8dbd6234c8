/**
 * A scope that gets one document after the other, without a service around it: claims are filed under their keys, and each
 * group is spoken for by a few of them, chosen by the service's own rule from hashes that are ours.
 */
import type { Functions, Placed, Ranked } from './functions.ts'

export interface FiledBatch extends Ranked {
  readonly placed: Placed
}

export interface GrowingScope {
  /** Returns the groups that a claim of this document speaks for from now on. */
  add(documentId: string, claims: readonly object[]): ReadonlyMap<string, readonly FiledBatch[]>
}

export function createScope({ keysOf, valueKeyOf, representativesOf }: Functions): GrowingScope {
  const groups = new Map<string, readonly FiledBatch[]>()
  return {
    add(documentId, claims) {
      const touched = new Set<string>()
      for (const [no, claim] of claims.entries()) {
        const placed = { documentId, version: 1, no, claim }
        const claimRank = rankOf(`${documentId} ${no}`)
        const value = valueKeyOf(claim)
        for (const key of new Set(keysOf(claim))) {
          const valueRank = rankOf(`${key}\n${value}`)
          const group = groups.get(key) ?? []
          groups.set(key, representativesOf([...group, { documentId, no, claimRank, valueRank, placed }]))
          touched.add(key)
        }
      }
      return new Map(
        [...touched]
          .map((key) => [key, groups.get(key) ?? []] as const)
          .filter(([, group]) => group.some((filed) => filed.documentId === documentId)),
      )
    },
  }
}

/** A rank that is as good as drawn, and the same for the same text. */
function rankOf(text: string): bigint {
  let number = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    number = Math.imul(number ^ text.charCodeAt(at), 0x01000193) >>> 0
  return BigInt(number)
}
