/** The sentences that every form of a report shares. */
import type { Contradiction, ContradictionSide, Decision, Document, FileLocation } from '../src/index.ts'
import { holdingIn } from './holding.ts'
import { SEVERITIES } from './order.ts'
import type { ReportQuestion } from './questions.ts'
import { percentRead, readCell } from './reading-share.ts'
import type { ReportData } from './report-data.ts'
import { STATES } from './states.ts'
import { inThousands, oneLine, plural, shareText } from './words.ts'

/** The figures at the top: a label and a value each. */
export function keyFigures({
  summary,
  convergence,
  documents,
  left_out,
}: ReportData): readonly [string, string][] {
  const { contradictions, reading } = summary
  const { open, resolved, dismissed } = contradictions.by_status
  const weights = SEVERITIES.map((severity) => [contradictions.by_severity[severity], severity] as const)
  const byWeight = weights.flatMap(([count, severity]) => (count === 0 ? [] : [`${count} ${severity}`]))
  return [
    ['State', `${convergence.state}: ${STATES[convergence.state]}`],
    ['Score', shareText(convergence.score)],
    [
      'Contradictions',
      `${open} open${byWeight.length === 0 ? '' : ` (${byWeight.join(', ')})`}, ${resolved} resolved, ${dismissed} dismissed`,
    ],
    ['Documents', inThousands(documents.length + left_out.documents)],
    [
      'Read',
      `${inThousands(reading.characters_read)} of ${inThousands(reading.characters)} characters (${percentRead(reading)} %)`,
    ],
    [
      'Compared',
      `${inThousands(reading.claims_compared)} of ${plural(reading.claims, 'claim')} with another document`,
    ],
  ]
}

/** The facts of the heaviest pair, and how many pairs there are. */
export function questionFacts({ contradictions, answers }: ReportQuestion): string[] {
  const facts = factsOf(contradictions[0])
  if (contradictions.length === 1) return facts
  return [...facts, `${answers.length} answers`, plural(contradictions.length, 'pair')]
}

/** Explanations of many pairs repeat each other. */
const MAX_EXPLANATIONS = 4

export function explanationsOf({ contradictions }: ReportQuestion): string[] {
  const different = [...new Set(contradictions.map(({ explanation }) => oneLine(explanation)))]
  const more = different.length - MAX_EXPLANATIONS
  const shown = different.slice(0, MAX_EXPLANATIONS)
  return more > 0 ? [...shown, `And ${inThousands(more)} more; the CSV form has each pair.`] : shown
}

/** Ids to act on: the whole one of a single pair, beginnings of several. */
export function idsOf({ contradictions }: ReportQuestion): string {
  const ids = contradictions.map(({ contradiction_id: id }) => id)
  return ids.length === 1 ? ids.join() : ids.map((id) => id.slice(0, 8)).join(', ')
}

export function generatedText({ generated_at: at }: ReportData): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}

/** Sentences on what the bounds of a report left out; none where it is whole. */
export function leftOutOf({ left_out: { contradictions, documents, decisions } }: ReportData): string[] {
  const missing = [
    ...(contradictions > 0 ? [plural(contradictions, 'contradiction')] : []),
    ...(documents > 0 ? [plural(documents, 'document')] : []),
    ...(decisions ? ['older decisions'] : []),
  ]
  return missing.length === 0
    ? []
    : [`This report is bounded and leaves out ${missing.join(', ')}. An export of the scope has everything.`]
}

export function documentsInWords(documents: readonly Document[]): string {
  const gaps = documents.filter(hasGap).length
  return gaps === 0
    ? 'All of them were read whole.'
    : `${gaps} of ${documents.length} were not read whole; they come first.`
}

/** A document that was not read whole comes first. */
export function orderDocuments(documents: readonly Document[]): Document[] {
  return documents.toSorted((one, other) => Number(hasGap(other)) - Number(hasGap(one)))
}

export function historyOf(found: Contradiction, { decisions }: ReportData): string[] {
  return decisions
    .filter(({ contradiction_id: id }) => id === found.contradiction_id)
    .map((decision) => decisionInWords(decision, found))
}

/** Severity, relation, confidence and status, in this order. */
function factsOf({ severity, relation, confidence, status }: Contradiction): string[] {
  const sure = confidence === null ? 'reported by a person' : `confidence ${confidence.toFixed(2)}`
  return [severity, relation, sure, status]
}

/** The id is left out where it is what the side is called anyway. */
export function placeOf(side: ContradictionSide): string {
  const { source, document_id: id, version, start, end, location, asserted_at: day } = side
  const parts = [
    ...(id === null ? ['as reported'] : id === source ? [] : [oneLine(id)]),
    ...(version === null ? [] : [`version ${version}`]),
    ...(location === null ? [] : [locationText(location)]),
    ...(start === null || end === null ? [] : [`characters ${inThousands(start)} to ${inThousands(end)}`]),
    ...(day === null ? [] : [`as of ${day}`]),
  ]
  return parts.join(', ')
}

/** Where in a file something stands, from the largest part to the smallest. */
export function locationText({ page, slide, sheet, cell, heading, line }: FileLocation): string {
  const parts = [
    ...(page === null ? [] : [`page ${inThousands(page)}`]),
    ...(slide === null ? [] : [`slide ${inThousands(slide)}`]),
    ...(sheet === null ? [] : [`sheet ${oneLine(sheet)}`]),
    ...(cell === null ? [] : [`cell ${cell}`]),
    ...(heading === null ? [] : [`under "${oneLine(heading)}"`]),
    ...(line === null ? [] : [`line ${inThousands(line)}`]),
  ]
  return parts.join(', ')
}

function decisionInWords(decision: Decision, contradiction: Contradiction): string {
  const { result, holds, by, actor, decided_by: decidedBy, decided_at: at, reason, policies } = decision
  const side = holds === null ? '' : `, ${holdingIn(contradiction, holds)}`
  const who = decidedBy === 'policy' ? `policy ${policies.join(', ')}` : (by ?? actor ?? decidedBy)
  const why = reason === null ? '' : ` Reason: ${oneLine(reason)}`
  return `${at}: ${result}${side}, by ${oneLine(who)}.${why}`
}

export function readingOf({ reading, status, unread, unread_total: unreadTotal }: Document): string {
  const missing = unreadTotal === 0 ? '' : `; ${partsInWords(unread, unreadTotal)} not read`
  if (reading !== null) return readCell(reading) + missing
  return (status === 'queued' || status === 'processing' ? 'not read yet' : 'not read') + missing
}

const SHOWN_PARTS = 5

/** "pages 3, 7" or "page 1, attachment 2": the first few, with how many more there are. */
export function partsInWords(parts: Document['unread'], total: number): string {
  const shown = parts.slice(0, SHOWN_PARTS)
  const byPart = [...Map.groupBy(shown, ({ part }) => part)].map(
    ([part, own]) => `${part}${own.length === 1 ? '' : 's'} ${own.map(({ number }) => number).join(', ')}`,
  )
  const more = total - shown.length
  return `${byPart.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Whether something of a document is missing from the comparison. */
export function hasGap({ reading, status, unread_total: unreadTotal }: Document): boolean {
  return status !== 'processed' || reading === null || reading.read !== 'whole' || unreadTotal > 0
}

/** A report must not be taken for more than it is. */
export const LIMITS =
  'Concord reports what it found in what it read. Where nothing is reported, nothing was found; that is not proof that the documents agree.'
