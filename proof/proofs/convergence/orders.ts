/** Documents through the whole service in different orders, and how settled each scope then says it is. */
import { follow } from '../../harness/cases/course.ts'
import type { CaseStage } from '../../harness/cases/course.ts'
import { plainPlan } from '../../harness/cases/plan.ts'
import type { CaseDocument } from '../../harness/cases/cases.ts'
import { requestJson } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'

const MEASURES = [
  'revenue',
  'debt',
  'payroll',
  'rent',
  'capital',
  'cash',
  'inventory',
  'equity',
  'tax',
  'goodwill',
]

/**
 * They disagree in pairs: two say one measure in two ways. No group of claims is large enough to be cut, because which claims of a cut group
 * are compared depends on the key of the scope.
 */
export function documentsThatDisagree(count: number): CaseDocument[] {
  return Array.from({ length: count }, (_, index) => {
    const measure = MEASURES[Math.floor(index / 2) % MEASURES.length]
    const line = `The ${measure} of Borealis Ltd in 2025 was EUR ${10 + index} million.`
    return { id: `paper-${index}`, text: `Annual figures\n\n${line}\n` }
  })
}

export function permutationsOf<Each>(list: readonly Each[]): Each[][] {
  if (list.length <= 1) return [[...list]]
  return list.flatMap((each, index) =>
    permutationsOf([...list.slice(0, index), ...list.slice(index + 1)]).map((rest) => [each, ...rest]),
  )
}

export function shuffled<Each>(list: readonly Each[], random: () => number): Each[] {
  return list
    .map((each) => ({ each, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ each }) => each)
}

export type Ending = Awaited<ReturnType<typeof endingOf>>

export async function endingOf(stage: CaseStage, place: Place, documents: readonly CaseDocument[]) {
  const { contradictions } = await follow(stage, place, plainPlan(documents))
  const [counted] = await stage.fleet.ask<{ row: string }>(
    `select (to_jsonb(c) - '{tenant_id,scope_id,ended,points,noted_score,noted_state}'::text[])::text as row
       from scope_convergence c where tenant_id = $1 and scope_id = $2`,
    [place.tenantId, place.scopeId],
  )
  const { score, state, parts, blockers, blockers_total } = await requestJson<Answer>(stage.fleet.url(), {
    path: `/api/scopes/${place.scopeId}/convergence`,
    bearer: place.tenantKey,
  })
  const kinds = blockers.map(({ kind, severity }) => `${kind} ${severity}`)
  return {
    /** The counts and their result, to the byte. */
    row: counted?.row ?? '',
    /** The same as the service answers, without names and positions that differ from scope to scope. */
    answer: JSON.stringify({ score, state, parts, kinds, blockers_total }),
    contradictions: contradictions.length,
    cuts: (JSON.parse(counted?.row ?? '{}') as { cuts?: number }).cuts,
  }
}

interface Answer {
  readonly score: number
  readonly state: string
  readonly parts: object
  readonly blockers: readonly { readonly kind: string; readonly severity: string | null }[]
  readonly blockers_total: number
}
