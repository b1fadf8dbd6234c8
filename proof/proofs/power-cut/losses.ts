/** Counts the losses of what clients had been promised. Pure, so that it can be shown to notice. */
import type { RecordedCall } from '../../harness/history.ts'

export interface StoredPlace {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
}

export interface Losses {
  readonly acknowledged: number
  readonly lost: number
  /** The number of those lost, the ones whose answer had arrived before the cut; others were under way at that moment. */
  readonly lostBefore: number
}

/** `calls` as they stood before the service was back, `stored` as the database was found then. */
export function findLosses(
  calls: readonly Pick<RecordedCall, 'place' | 'documentId' | 'ackedAt'>[],
  stored: readonly StoredPlace[],
  cutAt: number,
): Losses {
  const known = new Set(stored.map(nameOf))
  const acknowledged = calls.filter(({ ackedAt }) => ackedAt !== undefined)
  const lost = acknowledged.filter(
    ({ place, documentId = '' }) => !known.has(nameOf({ ...place, documentId })),
  )
  return {
    acknowledged: acknowledged.length,
    lost: lost.length,
    lostBefore: lost.filter(({ ackedAt = Infinity }) => ackedAt <= cutAt).length,
  }
}

function nameOf({ tenantId, scopeId, documentId }: StoredPlace): string {
  return `${tenantId}/${scopeId}/${documentId}`
}
