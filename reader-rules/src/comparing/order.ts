/** The orders that findings are chosen by: of texts, of places of claims, and of times. */
import type { PlacedClaim } from '@concord/reading/src/finding.ts'

export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function byPlace(a: PlacedClaim, b: PlacedClaim): number {
  return byText(a.documentId, b.documentId) || a.version - b.version || a.no - b.no
}

function time(value: number | null): number {
  return value ?? Number.NEGATIVE_INFINITY
}

export function compareTimes(a: number | null, b: number | null): number {
  if (a === b) return 0
  return time(a) < time(b) ? -1 : 1
}
