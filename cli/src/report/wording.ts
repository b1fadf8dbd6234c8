/** The sentences that every form of a report shares. */
import type { Contradiction, ContradictionSide, Decision, Document } from '@concord/client'
import { holdingIn } from '../contradiction-view.ts'
import { percentRead, readCell } from '../reading-view.ts'
import { STATES } from '../states.ts'
import { inThousands, oneLine, plural, shareText } from '../words.ts'
import type { CaseData } from './case-data.ts'

/** The figures at the top: a label and a value each. */
export function keyFigures({ summary, convergence, documents }: CaseData): readonly [string, string][] {
  const { contradictions, reading } = summary
  const { open, resolved, dismissed } = contradictions.by_status
  return [
    ['State', `${convergence.state}: ${STATES[convergence.state]}`],
    ['Score', shareText(convergence.score)],
    ['Contradictions', `${open} open, ${resolved} resolved, ${dismissed} dismissed`],
    ['Documents', inThousands(documents.length)],
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

export function headingOf({ title, kind, entity, attribute, a, b }: Contradiction): string {
  if (title !== null) return oneLine(title)
  if (kind === 'reported') return oneLine(`${a.source} and ${b.source}`)
  return oneLine([entity, attribute].filter((each) => each !== null && each !== '').join(': '))
}

/** Severity, relation, confidence and status, in this order. */
export function factsOf({ severity, relation, confidence, status }: Contradiction): string[] {
  const sure = confidence === null ? 'reported by a person' : `confidence ${confidence.toFixed(2)}`
  return [severity, relation, sure, status]
}

/** The id is left out where it is what the side is called anyway. */
export function placeOf(side: ContradictionSide): string {
  const { source, document_id: id, version, start, end, asserted_at: day } = side
  const parts = [
    ...(id === null ? ['as reported'] : id === source ? [] : [oneLine(id)]),
    ...(version === null ? [] : [`version ${version}`]),
    ...(start === null || end === null ? [] : [`characters ${inThousands(start)} to ${inThousands(end)}`]),
    ...(day === null ? [] : [`as of ${day}`]),
  ]
  return parts.join(', ')
}

export function decisionInWords(decision: Decision, contradiction: Contradiction): string {
  const { result, holds, by, actor, decided_by: decidedBy, decided_at: at, reason, policies } = decision
  const side = holds === null ? '' : `, ${holdingIn(contradiction, holds)}`
  const who = decidedBy === 'policy' ? `policy ${policies.join(', ')}` : (by ?? actor ?? decidedBy)
  const why = reason === null ? '' : ` Reason: ${oneLine(reason)}`
  return `${at}: ${result}${side}, by ${oneLine(who)}.${why}`
}

export function readingOf({ reading, status }: Document): string {
  if (reading !== null) return readCell(reading)
  return status === 'queued' || status === 'processing' ? 'not read yet' : 'not read'
}

/** Whether something of a document is missing from the comparison. */
export function hasGap({ reading, status }: Document): boolean {
  return status !== 'processed' || reading === null || reading.read !== 'whole'
}

/** A report must not be taken for more than it is. */
export const LIMITS =
  'Concord reports what it found in what it read. Where nothing is reported, nothing was found; that is not proof that the documents agree.'
