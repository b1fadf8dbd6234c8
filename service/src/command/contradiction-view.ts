/** One contradiction for people: what it is about, then both sides beside each other. */
import type { ContradictionSide, FoundContradiction } from '../app/contradictions.ts'
import { differenceOf } from '../domain/difference.ts'
import { formatDay } from '../domain/period.ts'
import { sideBySide, wrap } from './columns.ts'

export function aboutOf({ subject, attribute }: FoundContradiction): string {
  return oneLine(subject === '' ? attribute : `${subject}: ${attribute}`)
}

/** Words of a document must not steer the terminal, nor turn the direction of what stands beside them. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

export function describeContradiction(found: FoundContradiction, width: number): string[] {
  const facts = [
    found.relation,
    found.kind,
    `severity ${found.severity}`,
    `confidence ${found.confidence.toFixed(2)}`,
  ]
  const sides = [found.a, found.b].map((side) => describeSide(side))
  return [
    found.contradictionId,
    ...wrap([aboutOf(found), ...(found.period === null ? [] : [found.period])].join(', '), width),
    ...wrap([...facts, found.status].join(', '), width),
    '',
    ...sideBySide(sides[0] ?? [], sides[1] ?? [], width),
    '',
    ...wrap(`difference: ${differenceText(found)}`, width),
    ...wrap(`explanation: ${oneLine(found.explanation)} (${found.rule})`, width),
    ...(found.further === 0
      ? []
      : wrap(`further places that say the same as one of them: ${found.further}`, width)),
    ...wrap(`opened ${found.openedAt.toISOString()}, updated ${found.updatedAt.toISOString()}`, width),
  ]
}

function describeSide({ claim, ...place }: ContradictionSide): string[] {
  return [
    oneLine(place.source),
    `${oneLine(place.documentId)}, version ${place.version}`,
    `characters ${claim.span.join(' to ')}`,
    claim.assertedAt === null ? 'no date' : `as of ${formatDay(claim.assertedAt)}`,
    `says ${oneLine(claim.valueText)}`,
    '',
    `"${oneLine(claim.quote)}"`,
  ]
}

function differenceText({ a, b }: FoundContradiction): string {
  const difference = differenceOf(a.claim.value, b.claim.value)
  if (!difference) return '-'
  const { amount, unit, share } = difference
  const percent = share === null ? '' : ` (${(share * 100).toFixed(1)} % of the larger)`
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: 6 })} ${unit}${percent}`
}
