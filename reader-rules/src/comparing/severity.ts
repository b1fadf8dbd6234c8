/** How much a disagreement matters if it is one: the measure, the size of the gap, and whether it has been put right. */
import type { Claim, NumberValue } from '@concord/reading/src/claim.ts'
import type { Finding, Severity } from '@concord/reading/src/finding.ts'

const scale: readonly Severity[] = ['low', 'medium', 'high', 'critical']

const grave = new Set(
  (
    'death fatality fatal litigation lawsuit claim covenant breach sanction fraud default insolvency asbestos incident ' +
    'safety toxicity injury accident contamination recall violation bribery laundering waiver'
  ).split(' '),
)

const weighty = new Set(
  (
    'revenue turnover ebitda profit income debt cash asset liability equity price rent fee arr capital ratio solvency ' +
    'compliance certificate encryption dose endpoint deadline notice notification break expiry end term owner ownership ' +
    'shareholder director area exposure loss margin churn sale headroom temperature'
  ).split(' '),
)

function words(claim: Claim): readonly string[] {
  return [...claim.attribute.words, ...claim.context]
}

function materiality(a: Claim, b: Claim): number {
  const all = [...words(a), ...words(b)]
  if (all.some((word) => grave.has(word))) return 2
  return [...a.attribute.words, ...b.attribute.words].some((word) => weighty.has(word)) ? 2 : 1
}

function middle(value: NumberValue): number {
  return ((value.low ?? value.high ?? 0) + (value.high ?? value.low ?? 0)) / 2
}

/** Twice as much is worse, a few per cent is not. */
function bySize(a: Claim, b: Claim): number {
  if (a.value.type !== 'number' || b.value.type !== 'number') return 0
  const x = Math.abs(middle(a.value))
  const y = Math.abs(middle(b.value))
  const larger = Math.max(x, y)
  const gap = larger === 0 ? 0 : Math.abs(middle(a.value) - middle(b.value)) / larger
  if (gap < 0.02) return -1
  return gap > 0.5 ? 1 : 0
}

function byRelation(relation: Finding['relation']): number {
  return relation === 'conflict' ? 0 : -1
}

function isDenial(claim: Claim): boolean {
  return claim.value.type === 'existence' && !claim.value.exists
}

function byDenial(a: Claim, b: Claim): number {
  if (!isDenial(a) && !isDenial(b)) return 0
  return [...words(a), ...words(b)].some((word) => grave.has(word)) ? 1 : 0
}

export function severityOf(relation: Finding['relation'], a: Claim, b: Claim): Severity {
  const step = materiality(a, b) + bySize(a, b) + byRelation(relation) + byDenial(a, b)
  return scale[Math.min(3, Math.max(0, step))] ?? 'medium'
}
