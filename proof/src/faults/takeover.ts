/**
 * How long a document of a killed worker waited for another worker, told from the log: it was claimed, a worker was
 * killed, and it was claimed again. Which worker had it is not written down, so the first one killed after the claim
 * is taken; that can only make the wait look longer than it was.
 */
import type { Claim } from './ledger.ts'

export interface Takeover {
  readonly document: string
  /** The moment of the kill. */
  readonly killedAt: number
  readonly ms: number
}

export function findTakeovers(claims: readonly Claim[], kills: readonly number[]): Takeover[] {
  const inOrder = kills.toSorted((a, b) => a - b)
  const byDocument = Map.groupBy(claims, ({ document }) => document)
  return [...byDocument.values()].flatMap((ofDocument) => {
    const sorted = ofDocument.toSorted((a, b) => a.at - b.at)
    return sorted.slice(1).flatMap((claim, index) => {
      const before = sorted[index]?.at ?? 0
      const killedAt = inOrder.find((at) => at > before && at < claim.at)
      return killedAt === undefined ? [] : [{ document: claim.document, killedAt, ms: claim.at - killedAt }]
    })
  })
}
