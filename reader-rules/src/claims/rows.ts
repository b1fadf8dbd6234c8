/**
 * Claims of table cells. Where the first column has a heading that names a class ("Company", "Batch"), rows are things
 * and columns measures; else rows are measures, and columns are times, or things set side by side.
 */
import type { Claim, Days } from '@concord/reading/src/claim.ts'
import type { Span, Table, TableRow } from '@concord/reading/src/format.ts'
import { findValues } from '@concord/reading/src/values.ts'
import type { Hints } from '@concord/reading/src/values.ts'
import { askedIn, listedBy } from './asked.ts'
import { detection } from './worded.ts'
import type { AskedSubject } from './asked.ts'
import { claimFrom, contextOf } from './build.ts'
import type { ClaimDraft, ClaimPosition } from './build.ts'
import { isRole, roleWords } from './holders.ts'
import { months, wholes } from '@concord/reading/src/words/lexicon.ts'
import { bareName, findNames } from './names.ts'
import { claimsOfSentence } from './prose.ts'
import type { Scene } from './scene.ts'
import { stateWord, wordValue } from '@concord/reading/src/values/states.ts'
import { newThread } from './threads.ts'
import type { Token } from './token.ts'
import { hintsIn, isCurrency } from './units.ts'

/** The head of a table, read once for all of its rows. */
export interface TableHead {
  readonly columns: readonly (AskedSubject | null)[]
  readonly hints: readonly Hints[]
  readonly general: Hints
  readonly period: Days | null
  /** Columns are times. */
  readonly dated: boolean
  /** Rows are things of a class, columns their measures. */
  readonly things: boolean
  /** The words of caption and heading. */
  readonly measure: readonly string[]
}

const measureHeads = new Set(
  `item measure indicator metric parameter test position description characteristic kpi key figure line category
   component element detail particular ratio property attribute criterion quantity cost`.split(/\s+/),
)

export function readHead(scene: Scene, table: Table, place: ClaimPosition): TableHead {
  const announced = announcements(scene, table)
  const cells = table.columns ?? []
  const columns = cells.map((cell) => (cell === null ? null : askedIn(scene, cell)))
  const general = hintsIn([...announced, cells[0] ?? null].map((span) => sliceOf(scene, span)).join(' '))
  const listed = announced.map((span) => listedBy(scene, span)).find((words) => words !== null) ?? null
  const asked = announced.map((span) => askedIn(scene, span))
  return {
    columns,
    hints: cells.map((cell) => ({ ...general, ...hintsIn(sliceOf(scene, cell)) })),
    general,
    dated: columns.some((column) => column !== null && column.period !== null),
    period: asked.find(({ period }) => period !== null)?.period ?? null,
    things: listed !== null || isClass(columns[0] ?? null),
    measure: listed ?? (place.heading.length > 0 ? place.heading : (asked.at(-1)?.words ?? [])),
  }
}

/** The caption, and the sentence that announces the table. */
function announcements(scene: Scene, { caption, under }: Table): Span[] {
  const above = caption === null ? undefined : scene.structure.headings[caption]?.span
  const before = under === null ? undefined : scene.structure.passages[under]?.span
  return [above, before].filter((span) => span !== undefined)
}

/** The heading of the first column names a class: "Company", "Batch"; not "Parameter", not "EUR m". */
function isClass(corner: AskedSubject | null): boolean {
  const head = corner?.words[0]
  if (corner === null || head === undefined || measureHeads.has(head)) return false
  return Object.keys(hintsIn(corner.text)).length === 0
}

function sliceOf(scene: Scene, span: Span | null): string {
  return span === null ? '' : scene.text.slice(span[0], Math.min(span[1], span[0] + 200))
}

const totals = new Set(['total', 'sum', 'overall', 'all'])

/** "Total", "Group", "All sites": the row of the whole. */
function isTotal(tokens: readonly Token[]): boolean {
  const [first] = tokens
  return first !== undefined && (totals.has(first.low) || (tokens.length === 1 && wholes.has(first.word)))
}

interface Cell {
  readonly scene: Scene
  readonly row: TableRow
  readonly cell: Span
  readonly column: number
  /** The first cell of the row. */
  readonly label: AskedSubject
  readonly named: Claim['subject'] | null
  readonly head: TableHead
  readonly place: ClaimPosition
}

const maxOfRow = 12
/** A cell with more words than this speaks for itself. */
const fewestWords = 4

/** A remark in a cell: a sentence about what the row is about. */
function sentenceCell({ scene, cell, label, named, place }: Cell): Claim[] {
  const subject = named ?? label.subject ?? place.subject
  const context = [...label.words, ...place.context].slice(0, 8)
  return claimsOfSentence(scene, cell, { ...place, subject, context }, newThread(label.words))
}

export function claimsOfRow(scene: Scene, row: TableRow, head: TableHead, place: ClaimPosition): Claim[] {
  const start = isNumbered(scene, row) ? 1 : 0
  const first = row.cells[start]
  if (first === undefined || first === null || row.header) return []
  const label = askedIn(scene, first)
  const named = rowName(scene, first, head.things && start === 0)
  const claims: Claim[] = []
  let column = start + 1
  for (; column < row.cells.length && claims.length < maxOfRow; column += 1) {
    const cell = row.cells[column]
    if (cell === null || cell === undefined) continue
    const at = { scene, row, cell, column, label, named, head, place }
    const claim = claimOfCell(at)
    if (claim !== null) claims.push(claim, ...shareOf(at, claim))
    else if (scene.tokens(cell).length >= fewestWords) claims.push(...sentenceCell(at))
  }
  if (row.cells.slice(column).some((cell) => cell !== null)) scene.cuts.count += 1
  return claims
}

/** The first column only numbers the rows: `1`, `B2`, `118840-1`; the second says what they are about. */
export function isNumbered(scene: Scene, { cells }: TableRow): boolean {
  const [first, second] = cells
  if (!first || !second || cells.length < 3) return false
  const tokens = scene.tokens(first)
  return (
    tokens.length === 1 &&
    /^[a-z]{0,2}[\d./-]+$/i.test(tokens[0]?.low ?? '') &&
    !scene.tokens(second)[0]?.digit
  )
}

const times =
  /^(?:q[1-4]|h[12]|fy\d*|(?:19|20)?\d\d|spring|summer|autumn|winter|term|week|month|quarter|half|year)$/

/** "Autumn 2024", "Q1 2023": when, not who. */
function isTime(tokens: readonly Token[]): boolean {
  const words = tokens.filter((token) => !token.sign)
  return words.some((token) => !token.digit) && words.every(({ low }) => times.test(low) || months.has(low))
}

/** A row that begins with a name is about it; in a table of things every row is. */
function rowName(scene: Scene, label: Span, things: boolean): Claim['subject'] | null {
  const tokens = scene.tokens(label)
  const [name] = findNames(tokens, scene.book)
  const proper =
    name !== undefined && name.run[0] === 0 && (name.run[1] > 1 || scene.book.isProper(name.words[0] ?? ''))
  if (isTime(tokens)) return scene.subject
  if (!proper && !things) return null
  if (isTotal(tokens)) return { ...scene.subject, from: 'document' }
  const words = proper ? bareName(tokens.slice(0, name.run[1])) : bareName(tokens)
  return { words, text: scene.text.slice(label[0], Math.min(label[1], label[0] + 80)), from: 'row' }
}

function claimOfCell(at: Cell): Claim | null {
  const { scene, cell, column, head, label } = at
  const own = at.named === null ? hintsIn(label.text) : {}
  const [found] = findValues(scene.text, cell[0], cell[1], {
    ...(head.hints[column] ?? head.general),
    ...own,
  })
  const draft = cellDraft(at)
  const seen = detection(scene.tokens(cell))
  if (seen !== null && draft.attribute.words.length > 0) {
    return claimFrom(scene.text, {
      ...draft,
      kind: 'existence',
      value: { type: 'existence', exists: seen, blanket: false },
      valueSpan: cell,
    })
  }
  if (found !== undefined && found.span[0] - cell[0] <= 24) {
    if (draft.attribute.words.length === 0) return null
    return claimFrom(scene.text, { ...draft, kind: found.kind, value: found.value, valueSpan: found.span })
  }
  return wordCell(at, draft)
}

/** "detected in 2 of 5 samples": how many as well as whether. */
function shareOf({ scene, cell }: Cell, claim: Claim): Claim[] {
  if (claim.kind !== 'existence') return []
  const ratio = findValues(scene.text, cell[0], cell[1]).find(({ kind }) => kind === 'ratio')
  if (ratio === undefined) return []
  const after = scene.tokens([ratio.span[1], cell[1]]).find((token) => !token.sign && !token.digit)
  const words =
    after === undefined ? claim.attribute.words : [after.word, ...claim.attribute.words].slice(0, 5)
  return [
    claimFrom(scene.text, {
      ...claim,
      kind: 'ratio',
      value: ratio.value,
      valueSpan: ratio.span,
      attribute: { ...claim.attribute, words },
    }),
  ]
}

type Base = Omit<ClaimDraft, 'kind' | 'value' | 'valueSpan'>

/** A state, a level or a name in a cell. */
function wordCell(at: Cell, draft: Base): Claim | null {
  const tokens = at.scene.tokens(at.cell)
  const column = at.head.columns[at.column]
  const [first] = tokens
  if (first === undefined || column === null || column === undefined) return null
  const state = tokens.length <= 3 ? stateWord(first.low) : null
  const valueSpan: Span = [at.cell[0], at.cell[1]]
  if (state !== null) {
    return claimFrom(at.scene.text, {
      ...draft,
      kind: state.level ? 'level' : 'status',
      value: wordValue(state),
      valueSpan,
    })
  }
  if (!column.tokens.some((token) => isRole(token)) || tokens.length > 5) return null
  const role = roleWords(column.tokens.filter((token) => !token.sign))
  const attribute = { words: role, text: column.text }
  return claimFrom(at.scene.text, {
    ...draft,
    attribute,
    kind: 'identity',
    value: { type: 'name', words: bareName(tokens) },
    valueSpan,
  })
}

function cellDraft(at: Cell): Base {
  const { scene, row, label, named, head, place } = at
  const above = head.columns[at.column] ?? null
  const words = measureWords(at, above)
  const subject = named ?? label.subject ?? place.subject
  return {
    span: row.span,
    subject,
    attribute: { words, text: textFor(at, above) },
    context: contextOf(label.tokens, [...words, ...subject.words], () => false, [
      ...(above?.words ?? []),
      ...place.context,
    ]),
    qualifiers: qualifiersFor(at, above),
    period: above?.period ?? label.period ?? head.period ?? place.period,
    modality: place.quoted ? 'quoted' : modalityFor(label, above),
    replaces: null,
    assertedAt: scene.assertedAt ?? place.assertedAt,
    confidence: 0.8,
  }
}

function textFor({ named, label }: Cell, above: AskedSubject | null): string {
  return named === null || above === null ? label.text : above.text
}

function modalityFor(label: AskedSubject, above: AskedSubject | null): Claim['modality'] {
  return above !== null && above.modality !== 'actual' ? above.modality : label.modality
}

function columnWords(above: AskedSubject | null): readonly string[] {
  return (above?.words ?? []).filter((word) => word.length > 1 && !isCurrency(word))
}

/** The words of the column for a thing, or what the table is of where columns are times; else the row itself. */
function measureWords({ named, label, head, place }: Cell, above: AskedSubject | null): readonly string[] {
  if (named === null) return isTotal(label.tokens) && head.measure.length > 0 ? head.measure : label.words
  const words = columnWords(above)
  if (words.length > 0) return words
  return head.measure.length > 0 ? head.measure : place.heading
}

/** Columns of what is measured, and of what it is held against: modality tells them apart. */
const plainColumns = new Set(
  'actual result measure value amount total budget plan forecast target limit owe figure number specification requirement date day time status state deadline'.split(
    ' ',
  ),
)

/** Columns that are neither times nor measures set things side by side: arms, sites, classes. */
function qualifiersFor({ named, label }: Cell, above: AskedSubject | null): string[] {
  const found = [...label.qualifiers, ...(above?.qualifiers ?? [])]
  if (named === null && above !== null) {
    const words = columnWords(above)
    const telling = words.filter((word) => !plainColumns.has(word))
    if (telling.length > 0) found.push(`column:${telling.slice(0, 3).join(' ')}`)
    else if (words.length === 0 && above.period === null) found.push(...markOf(above.tokens))
  }
  return [...new Set(found)].toSorted()
}

/** A column such as "20 mg": an arm, not a measure; "EUR m" is neither. */
function markOf(tokens: readonly Token[]): string[] {
  const words = tokens.filter((token) => !token.sign).map((token) => token.low)
  if (words.length === 0 || words.length > 4 || !tokens.some((token) => token.digit)) return []
  return [`column:${words.join(' ')}`]
}
