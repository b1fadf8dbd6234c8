/** Contradictions for people: a short form for lists, and one with both sides beside each other. */
import { styleText } from 'node:util'
import type { Contradiction, ContradictionSide, Decision, Severity } from '@concord/client'
import { holdingIn, locationText } from '@concord/client/report'
import { shorten, sideBySide, wrap } from '../terminal/columns.ts'
import type { Contexts, QuoteContext } from './quote-context.ts'
import { showsColour } from '../terminal/screen.ts'
import { oneLine } from '../terminal/words.ts'

const COLOURS = { low: 'blue', medium: 'yellow', high: 'red', critical: 'magenta' } as const satisfies Record<
  Severity,
  string
>

export function paintSeverity(severity: Severity, text: string = severity): string {
  return styleText(COLOURS[severity], text)
}

export function aboutOf({ kind, title, entity, attribute, a, b, period }: Contradiction): string {
  if (title !== null) return oneLine(title)
  const what =
    kind === 'reported'
      ? `${a.source} and ${b.source}`
      : [entity, attribute].filter((each) => each !== null && each !== '').join(': ')
  return oneLine(period === null ? what : `${what}, ${period}`)
}

const INDENT = ' '.repeat(10)

/** Describes the subject, what each side says, and its id. */
export function describeBriefly(found: Contradiction, width: number): string[] {
  const room = width - INDENT.length
  return [
    ...headlines(found, room).map((line, at) =>
      at === 0 ? `${paintSeverity(found.severity, found.severity.padEnd(8))}  ${line}` : INDENT + line,
    ),
    ...sidesInALine(found, room).map((line) => INDENT + line),
    INDENT + styleText('dim', found.contradiction_id),
  ]
}

/** In one line where that is enough; a question that is cut short cannot be answered. */
function headlines(found: Contradiction, width: number): string[] {
  const about = aboutOf(found)
  const sure = found.confidence === null ? '' : `, ${found.confidence.toFixed(2)}`
  const facts = `${found.relation}${sure}, ${found.status}`
  if (about.length + 2 + facts.length <= width) return [`${styleText('bold', about)}  ${facts}`]
  return [...wrap(about, width).map((line) => styleText('bold', line)), facts]
}

/** Where not both fit, the source is cut rather than what it says, but keeps a third of the line. */
function says({ source, value, quote }: ContradictionSide, width = Number.POSITIVE_INFINITY): string {
  const said = oneLine(value?.text ?? quote)
  const room = Math.max(Math.floor(width / 3), width - said.length - ': '.length)
  return shorten(`${shorten(oneLine(source), room)}: ${said}`, width)
}

function sidesInALine({ a, b }: Contradiction, width: number): string[] {
  const line = `${says(a)}  |  ${says(b)}`
  if (line.length <= width) return [line]
  return [says(a, width), says(b, width)]
}

/** With what stands around each quote, where that was read. */
export function describeContradiction(found: Contradiction, width: number, contexts?: Contexts): string[] {
  const facts = [
    found.relation,
    found.kind,
    `severity ${paintSeverity(found.severity)}`,
    ...(found.confidence === null ? [] : [`confidence ${found.confidence.toFixed(2)}`]),
    found.status,
  ]
  return [
    styleText('dim', found.contradiction_id),
    ...wrap(aboutOf(found), width).map((line) => styleText('bold', line)),
    ...wrap(facts.join(', '), width),
    '',
    ...sideBySide(describeSide(found.a, contexts?.a), describeSide(found.b, contexts?.b), width),
    '',
    ...(found.difference === null ? [] : wrap(`difference: ${differenceText(found.difference)}`, width)),
    ...wrap(`explanation: ${oneLine(found.explanation)} (${found.decided_by})`, width),
    ...(found.further === 0
      ? []
      : wrap(`further places that say the same as one of them: ${found.further}`, width)),
    ...(found.note === null ? [] : wrap(`note: ${oneLine(found.note)}`, width)),
    ...wrap(`opened ${found.opened_at}, updated ${found.updated_at}`, width),
  ]
}

function describeSide(
  { source, document_id: id, version, start, end, value, ...side }: ContradictionSide,
  { before, after }: QuoteContext = NO_CONTEXT,
): string[] {
  const [quote, stated] = [oneLine(side.quote), oneLine(value?.text ?? '')]
  // A value that is the whole quote is read there.
  const isWhole = stated === quote
  return [
    oneLine(source)
      .split(' ')
      .map((word) => styleText('bold', word))
      .join(' '),
    ...(id === null ? [] : [nameVersion(id, source, version)]),
    ...(value === null
      ? ['as reported']
      : [
          ...(side.location === null ? [] : [locationText(side.location)]),
          `characters ${start} to ${end}`,
          side.asserted_at === null ? 'no date' : `as of ${side.asserted_at}`,
          isWhole ? '' : `says ${stated}`,
        ]),
    '',
    ...dim(before),
    `"${isWhole ? quote : markValue(quote, stated)}"`,
    ...dim(after),
  ]
}

const NO_CONTEXT: QuoteContext = { before: '', after: '' }

/** Word by word, so that a line can end between them. */
function dim(text: string): string[] {
  if (text === '') return []
  return [
    text
      .split(' ')
      .map((word) => styleText('dim', word))
      .join(' '),
  ]
}

/** A file is known by its name, which stands above this already. */
function nameVersion(id: string, source: string, version: number | null): string {
  const named = id === source ? [] : [oneLine(id)]
  return [...named, ...(version === null ? [] : [`version ${version}`])].join(', ')
}

/** In colour word by word, so that a line can end between them; in brackets where there is no colour. */
function markValue(quote: string, value: string): string {
  const at = value === '' ? -1 : quote.indexOf(value)
  if (at === -1) return quote
  const marked = showsColour()
    ? value
        .split(' ')
        .map((word) => styleText(['bold', 'yellow'], word))
        .join(' ')
    : `[${value}]`
  return `${quote.slice(0, at)}${marked}${quote.slice(at + value.length)}`
}

function differenceText({ amount, unit, share }: NonNullable<Contradiction['difference']>): string {
  const percent = share === null ? '' : ` (${(share * 100).toFixed(1)} % of the larger)`
  const shown = amount.toLocaleString('en-US', { maximumFractionDigits: 6 })
  return `${shown} ${unit === 'd' ? `day${amount === 1 ? '' : 's'}` : unit}${percent}`
}

/** Describes the decisions, newest first; no line where nothing was. */
export function describeDecisions(
  decisions: readonly Decision[],
  contradiction: Contradiction,
  width: number,
): string[] {
  return decisions.flatMap((decision) => {
    const side = decision.holds === null ? '' : `, ${holdingIn(contradiction, decision.holds)}`
    return [
      '',
      ...wrap(`${decision.decided_at} ${decision.result}${side}, by ${whoDecided(decision)}`, width),
      ...(decision.reason === null ? [] : wrap(oneLine(decision.reason), width)),
    ]
  })
}

function whoDecided({ decided_by: decidedBy, by, actor, document_ids: ids, policies }: Decision): string {
  if (decidedBy === 'policy') return ['policy', policies.join(', ')].join(' ').trim()
  if (decidedBy === 'evidence') return `evidence in ${ids.map(oneLine).join(', ')}`
  const who = [by, actor].flatMap((each) => (each === null ? [] : [oneLine(each)]))
  return who.length === 0 ? decidedBy : who.join(', ')
}
