/** Formats one contradiction for people: its subject, and then both sides next to each other. */
import type { ContradictionSide, FoundContradiction } from '../app/contradictions/contradictions.ts'
import type { Decision } from '../app/contradictions/decisions.ts'
import { differenceOf } from '../domain/difference.ts'
import type { Holds } from '../domain/resolution.ts'
import { formatDay } from '../domain/period.ts'
import { describeHolding, locationText } from '@concord/client/report'
import { oneLine, sideBySide, wrap } from '@concord/cli/terminal'

export function aboutOf({ title, subject, attribute, a, b, kind }: FoundContradiction): string {
  if (title !== null) return oneLine(title)
  if (kind === 'reported') return oneLine(`${a.source} and ${b.source}`)
  return oneLine(subject === '' ? attribute : `${subject}: ${attribute}`)
}

export function describeContradiction(found: FoundContradiction, width: number): string[] {
  const facts = [
    found.relation,
    found.kind,
    `severity ${found.severity}`,
    ...(found.confidence === null ? [] : [`confidence ${found.confidence.toFixed(2)}`]),
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
    ...(found.note === null ? [] : wrap(`note: ${oneLine(found.note)}`, width)),
    ...wrap(`opened ${found.openedAt.toISOString()}, updated ${found.updatedAt.toISOString()}`, width),
  ]
}

/** Lists the decisions, newest first; no line if there are none. */
export function describeHistory(
  history: readonly Decision[],
  found: FoundContradiction,
  width: number,
): string[] {
  return history.flatMap((decision) => {
    const side = decision.holds === null ? '' : `, ${holdingIn(found, decision.holds)}`
    return [
      '',
      ...wrap(
        `${decision.decidedAt.toISOString()} ${decision.result}${side}, by ${whoDecided(decision)}`,
        width,
      ),
      ...(decision.reason === null ? [] : wrap(oneLine(decision.reason), width)),
    ]
  })
}

/** The side that holds, by its document and what it says. */
export function holdingIn({ a, b }: FoundContradiction, holds: Holds): string {
  return describeHolding(holds, { a: nameSide(a), b: nameSide(b) })
}

function nameSide({ documentId, source, claim, quote }: ContradictionSide): {
  document: string
  says: string
} {
  return { document: documentId ?? source, says: claim?.valueText ?? quote }
}

function whoDecided({ decidedBy, by, actor, documentIds, policies }: Decision): string {
  if (decidedBy === 'policy') return ['policy', policies.join(', ')].join(' ').trim()
  if (decidedBy === 'evidence') return `evidence in ${documentIds.map(oneLine).join(', ')}`
  const who = [by, actor].flatMap((each) => (each === null ? [] : [oneLine(each)]))
  return who.length === 0 ? decidedBy : who.join(', ')
}

function describeSide({ claim, ...place }: ContradictionSide): string[] {
  return [
    oneLine(place.source),
    ...(place.documentId === null ? [] : [`${oneLine(place.documentId)}${versionText(place.version)}`]),
    ...(claim
      ? [
          ...(claim.location ? [locationText(claim.location)] : []),
          `characters ${claim.span.join(' to ')}`,
          claim.assertedAt === null ? 'no date' : `as of ${formatDay(claim.assertedAt)}`,
          `says ${oneLine(claim.valueText)}`,
        ]
      : ['as reported']),
    '',
    `"${oneLine(place.quote)}"`,
  ]
}

function versionText(version: number | null): string {
  return version === null ? '' : `, version ${version}`
}

function differenceText({ a, b }: FoundContradiction): string {
  const difference = a.claim && b.claim && differenceOf(a.claim.value, b.claim.value)
  if (!difference) return '-'
  const { amount, unit, share } = difference
  const percent = share === null ? '' : ` (${(share * 100).toFixed(1)} % of the larger)`
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: 6 })} ${unit}${percent}`
}
