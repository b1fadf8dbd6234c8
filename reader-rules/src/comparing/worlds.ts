/** Whether two claims live in the same world: a target is not a result, an adjusted figure is not a reported one. */
import type { Prepared } from './prepared.ts'
import { isRetold } from './retelling.ts'

/** Plain qualifiers of one row exclude each other; a side that has none means the measure as it is. */
const bases = [
  [
    'adjusted',
    'underlying',
    'normalised',
    'normalized',
    'pro-forma',
    'proforma',
    'organic',
    'reported',
    'statutory',
  ],
  ['gross', 'net'],
  ['consolidated', 'standalone', 'parent'],
  ['nominal', 'real'],
]

/** These only say who looked at the figure or that it was mended: the measure stays the same. */
const harmless = new Set(
  'audited unaudited restated corrected revised preliminary provisional final reported statutory consolidated often'.split(
    ' ',
  ),
)

const corrections = new Set(['restated', 'corrected', 'revised', 'correction', 'erratum'])

function dimension(qualifier: string): string {
  const colon = qualifier.indexOf(':')
  if (colon > 0) return qualifier.slice(0, colon)
  const row = bases.findIndex((words) => words.includes(qualifier))
  return row < 0 ? qualifier : `basis ${row}`
}

/** "lot:1" of a claim about lot 1: who is meant is compared with the subjects. */
function isOfSubject({ subject }: Prepared, qualifier: string): boolean {
  const colon = qualifier.indexOf(':')
  return (
    colon > 0 && subject.includes(qualifier.slice(0, colon)) && subject.includes(qualifier.slice(colon + 1))
  )
}

/** Every qualifier of one side that the other answers with another one, or does not have where it matters. */
function clashes(from: Prepared, against: Prepared): boolean {
  const others = against.claim.qualifiers
  return from.claim.qualifiers.some((qualifier) => {
    if (others.includes(qualifier) || against.words.includes(qualifier)) return false
    if (qualifier.startsWith('document:')) return false
    if (isOfSubject(from, qualifier) || isOfSubject(against, qualifier)) return false
    const about = dimension(qualifier)
    const answered = others.some((other) => dimension(other) === about)
    return answered || !harmless.has(qualifier)
  })
}

function otherTax(a: Prepared, b: Prepared): boolean {
  return a.tax !== null && b.tax !== null && a.tax !== b.tax
}

export function otherQualifier(a: Prepared, b: Prepared): boolean {
  return clashes(a, b) || clashes(b, a) || a.scenario !== b.scenario || otherTax(a, b)
}

export function isCorrected(claim: Prepared): boolean {
  return claim.claim.qualifiers.some((qualifier) => corrections.has(qualifier))
}

export function isSupposed({ claim: { modality } }: Prepared): boolean {
  return modality === 'hypothetical' || modality === 'quoted'
}

const duty = /\b(?:shall|must|(?:is|are) to|required?)\b/i
const aim = /\b(?:target|goal|aims?|objective|ambition|pledge|promise|commitment|guarantee)/i
const past = /\b(?:was|were|had|did|been|so far|actual(?:ly)?)\b/i
const present =
  /\b(?:is|are|has|have|may|can|pays?|gets?|works?|receives?|reports?|keeps?|lasts?|runs?|bears?|costs?)\b|:/i

/** "The tenant shall pay" and "the rent is": the same term, laid down and told; "the rate was" is what came of it. */
function isTermOf({ claim: rule }: Prepared, { claim: told }: Prepared): boolean {
  if (rule.modality !== 'target' || told.modality !== 'actual') return false
  return duty.test(rule.quote) && !aim.test(rule.quote) && present.test(told.quote) && !past.test(told.quote)
}

/** A sentence that is only supposed or only quoted meets nothing but the same sentence told again. */
export function otherModality(a: Prepared, b: Prepared): boolean {
  const x = a.claim.modality
  const y = b.claim.modality
  if (x === 'quoted' || y === 'quoted') return true
  if (x !== y) return !isTermOf(a, b) && !isTermOf(b, a)
  return x === 'hypothetical' && !isRetold(a, b)
}
