/** Walks the passages of a document: sentences, fields, rows, and questions with their answers. */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { KeyValue, ListItem, Paragraph, Passage, Span, TableRow } from '@concord/reading/src/format.ts'
import { askedIn } from './asked.ts'
import type { AskedSubject } from './asked.ts'
import type { ClaimPosition } from './build.ts'
import type { Thread } from './describing.ts'
import { answerClaims } from './fields.ts'
import { bareName } from './names.ts'
import { isVerb } from './phrases.ts'
import { hintsAt, placesOf } from './places.ts'
import { claimsOfSentence } from './prose.ts'
import { claimsOfRow, isNumbered, readHead } from './rows.ts'
import type { TableHead } from './rows.ts'
import type { Scene } from './scene.ts'
import { Parts } from './sums.ts'
import { newThread } from './threads.ts'
import { lowAt } from './token.ts'

/** Addresses and dates of the document itself state nothing about its subject. */
const formal = /^(?:from|to|cc|bcc|subject|re|sent|page|ref|reference|version|prepared|attachments?)\b/i
/** "Date of the fire" is a date like any other. */
const formalDate =
  /^dated?\b(?! of (?:the |this |last )?(?!issue|report|letter|document|memo|meeting|preparation|print|writing))/i

/** Fields behind these are not read. */
export const maxFields = 30

interface HeaderClaims {
  readonly claims: Claim[]
  /** Fields of which a limit left out values. */
  readonly cut: readonly Span[]
}

/** Fields at the top state things like any other line does. */
export function headerClaims(scene: Scene): HeaderClaims {
  const { subject, assertedAt } = scene
  const place: ClaimPosition = {
    subject,
    assertedAt,
    period: null,
    context: [],
    heading: [],
    listed: false,
    hints: hintsAt(scene, assertedAt),
    quoted: false,
  }
  const cut: Span[] = []
  const claims = scene.structure.header.fields.slice(0, maxFields).flatMap((field) => {
    const key = scene.text.slice(field.key[0], Math.min(field.key[1], field.key[0] + 30))
    if (formal.test(key) || formalDate.test(key)) return []
    const before = scene.cuts.count
    const own = answerClaims(scene, askedIn(scene, field.key), field, place)
    if (scene.cuts.count > before) cut.push(field.span)
    return own
  })
  return { claims, cut }
}

/** The state that is remembered from passage to passage. */
interface Walk {
  readonly scene: Scene
  readonly thread: Thread
  readonly heads: Map<number, TableHead>
  readonly questions: Map<number, AskedSubject>
  readonly parts: Parts
  /** The question asked last, and where. */
  pending: { readonly asked: AskedSubject; readonly index: number } | null
}

/** Claims passage by passage, in order; remembers the last question and what pronouns point to. */
export function claimsOfPassage(scene: Scene): (index: number) => Claim[] {
  const walk: Walk = {
    scene,
    thread: newThread(),
    heads: new Map(),
    questions: new Map(),
    parts: new Parts(),
    pending: null,
  }
  const placeAt = placesOf(scene)
  return (index) => {
    const passage = scene.structure.passages[index]
    if (passage === undefined || passage.kind === 'code') return []
    const place = placeAt(index)
    const sum = walk.parts.turn(
      scene,
      place.listed && passage.kind === 'key-value' ? (passage.heading ?? -1) : -1,
    )
    const claims = claimsAt(walk, index, passage, place)
    return sum === null ? claims : [sum, ...claims]
  }
}

function claimsAt(
  walk: Walk,
  index: number,
  passage: Exclude<Passage, { kind: 'code' }>,
  place: ClaimPosition,
): Claim[] {
  if (passage.kind === 'table-row') return rowClaims(walk, passage, place)
  if (passage.kind === 'key-value') return keyValueClaims(walk, index, passage, place)
  return proseClaims(walk, index, passage, place)
}

function rowClaims({ scene, heads }: Walk, row: TableRow, place: ClaimPosition): Claim[] {
  const table = scene.structure.tables[row.table]
  if (table === undefined) return []
  const [, question, answer] = row.cells
  if (row.cells.length === 3 && question && answer && isNumbered(scene, row)) {
    return answerClaims(
      scene,
      askedIn(scene, question),
      { value: answer, span: row.span },
      { ...place, period: scene.period },
    )
  }
  let head = heads.get(row.table)
  if (head === undefined) {
    head = readHead(scene, table, place)
    heads.set(row.table, head)
  }
  const [label, value] = row.cells
  if (row.cells.length === 2 && label && value && !row.header && !head.dated && isForm2(head)) {
    return answerClaims(
      scene,
      askedIn(scene, label),
      { value, span: row.span },
      { ...place, period: scene.period, hints: { ...place.hints, ...head.hints[1] } },
    )
  }
  return claimsOfRow(scene, row, head, { ...place, period: scene.period })
}

const valueHeads = new Set(
  'value answer detail person entry description result data response content remark comment reply'.split(' '),
)

/** Two columns are a form where the second has no name, or one that only says that an answer stands there. */
function isForm2(head: TableHead): boolean {
  const words = head.columns[1]?.words ?? []
  return words.every((word) => valueHeads.has(word))
}

/** Values longer than this are sentences of their own. */
const shortValue = 60
const maxOfPassage = 40

function keyValueClaims(walk: Walk, index: number, passage: KeyValue, place: ClaimPosition): Claim[] {
  const { scene } = walk
  const talk = talkOf(scene, passage.key)
  if (talk === 'question') walk.pending = { asked: askedIn(scene, passage.value), index }
  if (talk === 'question') return []
  if (talk === 'answer') return replied(walk, index, passage.sentences, passage.value, place)
  const asked = listedKey(scene, withParent(walk, askedIn(scene, passage.key), passage.under), place)
  const claims = answerClaims(scene, asked, passage, { ...place, period: scene.period })
  if (place.listed) walk.parts.add(claims, passage.span)
  if (passage.value[1] - passage.value[0] < shortValue) return claims
  return merged(
    scene,
    claims.slice(0, 2),
    passage.sentences.flatMap((sentence) => claimsOfSentence(scene, sentence, place, walk.thread)),
  )
}

function merged({ cuts }: Scene, claims: readonly Claim[], more: readonly Claim[]): Claim[] {
  const places = new Set(claims.map((claim) => claim.valueSpan[0]))
  const all = [...claims, ...more.filter((claim) => !places.has(claim.valueSpan[0]))]
  if (all.length > maxOfPassage) cuts.count += 1
  return all.slice(0, maxOfPassage)
}

/** Under "Employees by site" the key is the site, and the heading the measure. */
function listedKey(scene: Scene, asked: AskedSubject, place: ClaimPosition): AskedSubject {
  if (!place.listed || asked.period !== null) return asked
  const total = lowAt(asked.tokens, 0) === 'total'
  const subject = asked.subject ?? {
    words: bareName(asked.tokens).slice(0, 4),
    text: asked.text,
    from: 'row' as const,
  }
  return {
    ...asked,
    words: place.heading,
    subject: total ? { ...scene.subject, from: 'document' } : { ...subject, from: 'row' },
  }
}

/** A key that is but a year or a name takes its measure from the line it hangs under. */
function withParent({ questions }: Walk, asked: AskedSubject, under: number | null): AskedSubject {
  if (asked.words.length > 0 && !isQualifierOnly(asked)) return asked
  const parent = under === null ? undefined : questions.get(under)
  if (parent === undefined)
    return asked.words.length > 0 && isQualifierOnly(asked) ? { ...asked, words: [] } : asked
  return {
    ...parent,
    period: asked.period ?? parent.period,
    open: asked.open,
    qualifiers: [...new Set([...asked.qualifiers, ...parent.qualifiers])].toSorted(),
    subject: asked.subject ?? parent.subject,
  }
}

function isQualifierOnly(asked: AskedSubject): boolean {
  return (
    asked.period !== null &&
    asked.words.every((word) => asked.qualifiers.some((each) => each.startsWith(word)))
  )
}

function proseClaims(
  walk: Walk,
  index: number,
  passage: Paragraph | ListItem,
  place: ClaimPosition,
): Claim[] {
  const { scene, questions } = walk
  const { label } = passage
  const sentences = spoken(passage)
  const [first, ...rest] = sentences
  if (first === undefined) return []
  const spokenTo = label === undefined ? null : dialogue(walk, index, passage, label, place)
  if (spokenTo !== null) return spokenTo
  const asks = asksFor(scene, first)
  if (asks) questions.set(index, askedIn(scene, first))
  const pending = asks ? questions.get(index) : questions.get(passage.under ?? -1)
  const [answer] = asks ? rest : sentences
  const claims = pending === undefined || answer === undefined ? [] : answered(scene, pending, answer, place)
  return withSentences(walk, claims, asks ? rest : sentences, place)
}

/** A line of a form or of a dialogue; null where the label only heads a sentence. */
function dialogue(
  walk: Walk,
  index: number,
  passage: Paragraph | ListItem,
  label: Span,
  place: ClaimPosition,
): Claim[] | null {
  const { scene } = walk
  if (!isForm(scene, label)) return null
  const talk = talkOf(scene, label)
  if (talk === 'form') return labelled(walk, passage, label, place)
  const value = behind(scene.text, label[1], passage.body[1])
  if (talk === 'question' && value !== null) walk.pending = { asked: askedIn(scene, value), index }
  return talk === 'answer' && value !== null ? replied(walk, index, passage.sentences, value, place) : null
}

function withSentences(
  walk: Walk,
  claims: Claim[],
  sentences: readonly Span[],
  place: ClaimPosition,
): Claim[] {
  const places = new Set(claims.map((claim) => claim.valueSpan[0]))
  for (const sentence of sentences) {
    if (isDrawn(walk.scene.text, sentence)) continue
    for (const claim of claimsOfSentence(walk.scene, sentence, place, walk.thread)) {
      if (!places.has(claim.valueSpan[0])) claims.push(claim)
    }
  }
  return claims
}

const gap = / {3,}|\t/g
const maxGaps = 2

/** Columns set with spaces that were not seen to be a table: no sentence, so nothing is read from it. */
function isDrawn(text: string, [start, end]: Span): boolean {
  const line = text.slice(start, Math.min(end, start + 600))
  return line.includes('   ') && [...line.replaceAll(/\n\s*/g, ' ').matchAll(gap)].length > maxGaps
}

/** `Q:` and `A:` speak; `Correction:` and `Note:` are said of the sentence behind them; all else is a form. */
function talkOf(scene: Scene, label: Span): 'question' | 'answer' | 'remark' | 'form' {
  const low = scene.text.slice(label[0], Math.min(label[1], label[0] + 16)).toLowerCase()
  if (/^(?:q|question)\b/.test(low)) return 'question'
  if (/^(?:a|answer|reply|response)\b/.test(low)) return 'answer'
  return /^(?:correction|corrigendum|erratum|note|remark|nb|update|clarification|amendment)\b/.test(low)
    ? 'remark'
    : 'form'
}

/** The answer to the question just before. */
function replied(
  walk: Walk,
  index: number,
  sentences: readonly Span[],
  value: Span,
  place: ClaimPosition,
): Claim[] {
  const { pending, scene } = walk
  const near = pending !== null && index - pending.index <= 2
  const first = sentences.find((sentence) => sentence[1] > value[0])
  const answer: Span | null = first === undefined ? null : [Math.max(first[0], value[0]), first[1]]
  const claims = near && answer !== null ? answered(scene, pending.asked, answer, place) : []
  return withSentences(walk, claims, sentences, place)
}

/** The sentences without one that is nothing but a label: `**Q 14 (finance).**`. */
function spoken(passage: Paragraph | ListItem): readonly Span[] {
  const { label, sentences } = passage
  const [first] = sentences
  return label !== undefined && first !== undefined && first[1] <= label[1] + 4 && sentences.length > 1
    ? sentences.slice(1)
    : sentences
}

const formSign = /^[*_]{0,2}[:?]/

/** The label is the key of a form: a colon or a question mark ends it. */
function isForm(scene: Scene, label: Span): boolean {
  return formSign.test(scene.text.slice(label[1], label[1] + 3))
}

function labelled(walk: Walk, passage: Paragraph | ListItem, label: Span, place: ClaimPosition): Claim[] {
  const { scene } = walk
  const asked = withParent(walk, askedIn(scene, label), passage.under)
  // "Price: EUR 4m. Our turnover was": the answer ends with its sentence.
  const ends = passage.sentences.find((sentence) => sentence[1] > label[1] + 2)?.[1] ?? passage.body[1]
  const value = behind(scene.text, label[1], Math.min(ends, passage.body[1]))
  if (value === null) return []
  const claims = answerClaims(scene, asked, { value, span: passage.span }, { ...place, period: scene.period })
  if (passage.body[1] - value[0] < shortValue) return claims
  const thread = newThread()
  return merged(
    scene,
    claims.slice(0, 2),
    passage.sentences.flatMap((sentence) => claimsOfSentence(scene, sentence, place, thread)),
  )
}

/** The text that follows a label and its punctuation. */
function behind(text: string, from: number, to: number): Span | null {
  let start = from
  while (start < to && /[\s:?*_.]/.test(text.charAt(start))) start += 1
  return start < to ? [start, to] : null
}

const requests = new Set(['state', 'describe', 'give', 'list', 'name', 'please', 'specify', 'explain'])

/** A question, or a request that a form makes. */
function asksFor(scene: Scene, span: Span): boolean {
  const tokens = scene.tokens(span)
  return tokens.slice(-2).some((token) => token.low === '?') || requests.has(lowAt(tokens, 0))
}

/** True where the question is a statement with its answer. */
function isReply({ value, qualifiers }: Claim): boolean {
  return value.type === 'word' && value.family === 'statement' && qualifiers.includes('part')
}

const maxBrief = 8

/** A short answer, one without a verb, or one that begins with yes, no or none. */
function answered(scene: Scene, asked: AskedSubject, span: Span, place: ClaimPosition): Claim[] {
  const tokens = scene.tokens(span)
  const brief = tokens.length <= maxBrief || ['yes', 'no', 'none', 'nil'].includes(lowAt(tokens, 0))
  if (!brief && tokens.some((_, at) => isVerb(tokens, at))) return []
  const claims = answerClaims(scene, asked, { value: span, span }, place)
  return claims.filter((claim, at) => at === 0 || isReply(claim))
}
