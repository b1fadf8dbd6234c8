/**
 * The outcome of a scope in a form that can be compared byte for byte: times and names that the service gives anew
 * each time are left out, and the order is that of the lines themselves.
 */
import { surplus } from '../surplus.ts'

export interface CaseOutcome {
  readonly claims: readonly string[]
  readonly contradictions: readonly string[]
}

/** Fields that tell when and under which number it was found; everything else is what was found. */
const GIVEN_ANEW = new Set([
  'scope_id',
  'claim_id',
  'contradiction_id',
  'version',
  'extracted_at',
  'opened_at',
  'updated_at',
  'decision_id',
  'decided_at',
])

export function linesOf(items: readonly object[]): string[] {
  return items
    .map((item) => {
      const isLeftOut = (key: string) =>
        GIVEN_ANEW.has(key) || (key === 'explanation' && isFoundByModel(item))
      return JSON.stringify(item, (key, value: unknown) => (isLeftOut(key) ? undefined : value))
    })
    .toSorted()
}

/** A model explains with the names of the two documents that met first; where others show the sides, the statements are quoted instead. */
function isFoundByModel(item: object): boolean {
  return 'decided_by' in item && String(item.decided_by).startsWith('model:')
}

/** In words, one for each line that only one of both has. */
export function differencesOf(reference: CaseOutcome, other: CaseOutcome): string[] {
  return (['claims', 'contradictions'] as const).flatMap((kind) => [
    ...surplus(reference[kind], other[kind]).map((line) => `missing in the ${kind}: ${line}`),
    ...surplus(other[kind], reference[kind]).map((line) => `too much in the ${kind}: ${line}`),
  ])
}
