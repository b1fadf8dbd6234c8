/**
 * The statement of a sentence as a whole: its words without denials, and whether it affirms or denies them. Two sentences of
 * the same words and opposite sides gainsay each other though no figure, state or name of theirs does.
 */
import type { Claim, WordValue } from '@concord/reading/src/claim.ts'
import { canonical } from '@concord/reading/src/words/canon.ts'
import { claimFrom, nameSubject, textOf } from './build.ts'
import type { Said } from './describing.ts'
import { exclusiveAt } from './exclusive.ts'
import { modalityOf } from './modes.ts'
import { stemOf } from './opposites.ts'
import { isVerb } from './phrases.ts'
import type { Run } from './phrases.ts'
import { isDenial, Sides, wordOf } from './polarity.ts'
import type { Sentence } from './sentence.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

const fewest = 3
/** "Overtime is not paid": what is denied needs no more than a thing and a deed. */
const fewestDenied = 2
const most = 40

/** The sentence as a whole, and each part of it that denies something by itself. */
export function statementsIn(said: Said, claims: readonly Claim[]): Claim[] {
  const { tokens } = said.sentence
  if (isShouted(tokens) || lowAt(tokens, tokens.length - 1) === ':') return []
  const { end, disputes } = frameOf(tokens)
  const whole = statementOf(said, claims, [end, tokens.length], { disputes, part: false })
  if (whole === null || !whole.qualifiers.some((qualifier) => qualifier.startsWith('not:')))
    return whole === null ? [] : [whole]
  const parts = partsOf(said.sentence, end).map((run) =>
    statementOf(said, claims, run, { disputes, part: true }),
  )
  return [whole, ...parts].filter((claim) => claim !== null)
}

const maxParts = 2

/** Said of a statement that is no whole sentence, or a very short one. */
const partMark = 'part'

/** "They were not taken, as nobody came": what is denied is denied in its own clause, whatever else is told beside it. */
function partsOf({ tokens, starts }: Sentence, from: number): readonly Run[] {
  const cuts = [...starts.filter((start) => start > from), ...reasonsIn(tokens, from)].toSorted(
    (a, b) => a - b,
  )
  if (cuts.length === 0) return []
  const ends = [...cuts, tokens.length]
  return [from, ...cuts]
    .map((start, at): Run => [ownStart(tokens, start), ends[at] ?? tokens.length])
    .filter((run) => run[0] !== -1 && isWhole(tokens, run))
    .slice(0, maxParts)
}

/** ", as nobody came". */
function reasonsIn(tokens: readonly Token[], from: number): number[] {
  return tokens.flatMap(({ low }, at) =>
    at > from && (low === 'as' || low === 'since') && lowAt(tokens, at - 1) === ',' ? [at] : [],
  )
}

const pointing = set('which who whose where it they he she this that these those we i you')

/** A clause that points back to what it is about says too little by itself. */
function ownStart(tokens: readonly Token[], start: number): number {
  const first = /^(?:and|but|as|since|because|while|whereas|although)$/.test(lowAt(tokens, start))
    ? start + 1
    : start
  return pointing.has(lowAt(tokens, first)) || tokenAt(tokens, first).verb ? -1 : first
}

function isWhole(tokens: readonly Token[], run: Run): boolean {
  const part = tokens.slice(run[0], run[1])
  return part.some(({ low }) => isDenial(low)) && firstVerb(tokens, run) !== -1
}

/** Figures that other claims tell of are marked: they are compared there. */
function statementOf(
  said: Said,
  claims: readonly Claim[],
  run: Run,
  { disputes, part }: { readonly disputes: boolean; readonly part: boolean },
): Claim | null {
  const { sentence, scene, place } = said
  const { tokens } = sentence
  const { words, denied, later, sided } = new Sides(tokens, run, disputes)
  if (words.length < (denied.length % 2 === 1 ? fewestDenied : fewest) || words.length > most) return null
  const verb = firstVerb(tokens, run)
  // A note without a verb states something where it denies or takes a side: "controls effective", "no open points".
  if (verb === -1 && !sided && (sentence.values.length === 0 || isListed(words))) return null
  const name = sentence.names.find((each) => each.run[0] >= run[0])
  const isPart = part || words.length < fewest
  const first = tokenAt(tokens, run[0])
  return claimFrom(scene.text, {
    kind: 'status',
    subject: name === undefined ? place.subject : nameSubject(scene.text, tokens, name),
    attribute: { words, text: textOf(scene.text, tokens, [run[0], Math.max(verb, run[0] + 1)]) },
    context: namesIn(sentence, run),
    qualifiers: [
      ...(isPart ? [partMark] : []),
      ...denied.map((word) => `not:${word}`),
      ...exclusivesOf(tokens, run),
      ...toldBy(tokens, claims),
    ],
    value: sideTaken(denied.length % 2 === 1, later),
    valueSpan: [first.start, lastWord(tokens.slice(0, run[1])).end],
    span: sentence.span,
    period: null,
    modality: place.quoted ? 'quoted' : mannerOf(sentence, run, verb),
    replaces: null,
    assertedAt: place.assertedAt,
    confidence: 0.8,
  })
}

function exclusivesOf(tokens: readonly Token[], [from, to]: Run): string[] {
  const found: string[] = []
  for (let at = from; at < to; at += 1) {
    const word = exclusiveAt(tokens, at)
    if (word !== null) found.push(word)
  }
  return found
}

function toldBy(tokens: readonly Token[], claims: readonly Claim[]): string[] {
  if (claims.length === 0) return []
  const told = tokens.filter(({ start, end }) =>
    claims.some(({ valueSpan: [from, to] }) => start < to && end > from),
  )
  const figures = told.map(wordOf).filter((word) => word !== null && /\d/.test(word))
  return [...new Set(figures)].map((word) => `told:${word}`)
}

/** "Lot 8, 1800" is an entry of a list: it has figures and names nothing more. */
function isListed(words: readonly string[]): boolean {
  return words.filter((word) => !/^\d/.test(word)).length < fewest
}

/** The full stop is not part of what is said. */
function lastWord(tokens: readonly Token[]): Token {
  return tokens.findLast(({ sign, low }) => !sign || low === ')' || low === '%') ?? tokenAt(tokens, 0)
}

/** "Not yet" comes before what is affirmed later. */
function sideTaken(denies: boolean, later: boolean): WordValue {
  if (!denies) return { type: 'word', family: 'statement', word: 'affirmed', rank: 1 }
  return { type: 'word', family: 'statement', word: 'denied', rank: later ? 0 : null }
}

/** Words that hand on what somebody says: "the auditor confirmed that". */
const reporting =
  set(`understand tell say state report record note confirm believe think observe conclude mention remark
  notice advise indicate explain consider know show learn assert maintain declare inform find`)

const longestFrame = 10

/** "He denied that": what follows is told, and not so. */
const disputing = set('deny dispute refute contest')

interface Frame {
  readonly end: number
  readonly disputes: boolean
}

/** Where the statement itself begins: behind "we understand that" and "according to the report,". */
function frameOf(tokens: readonly Token[]): Frame {
  let end = 0
  let disputes = false
  for (let round = 0; round < 2; round += 1) {
    const next = frameEnd(tokens, end)
    if (next === end) break
    disputes ||= disputing.has(tokenAt(tokens, next - 2).word)
    end = next
  }
  return { end, disputes }
}

function frameEnd(tokens: readonly Token[], from: number): number {
  const according = lowAt(tokens, from) === 'according'
  for (let at = from; at < Math.min(tokens.length, from + longestFrame); at += 1) {
    const { low } = tokenAt(tokens, at)
    if (isDenial(low)) return from
    if (according && low === ',') return at + 1
    if (low === 'that' && (reports(tokens, at - 1) || reports(tokens, at - 2))) return at + 1
  }
  return from
}

function reports(tokens: readonly Token[], at: number): boolean {
  const { word } = tokenAt(tokens, at)
  return reporting.has(word) || disputing.has(word)
}

/** A line in capitals is a heading or a mark of the form. */
function isShouted(tokens: readonly Token[]): boolean {
  return tokens.every(({ sign, digit, capitals, low }) => sign || digit || capitals || low.length === 1)
}

function firstVerb(tokens: readonly Token[], [from, to]: Run): number {
  for (let at = from; at < to; at += 1) if (isVerb(tokens, at) || isPast(tokens, at)) return at
  return -1
}

function isPast(tokens: readonly Token[], at: number): boolean {
  const { low } = tokenAt(tokens, at)
  return at > 0 && low.length >= 5 && low.endsWith('ed')
}

const hedges =
  set(`possible possibly potential potentially unverified unconfirmed alleged allegedly suspected apparent
  apparently perhaps may might presumably provisionally`)

/** A statement that is only possible, or still looked into, is not stated. */
function mannerOf(sentence: Sentence, run: Run, verb: number): Claim['modality'] {
  const { tokens } = sentence
  for (let at = run[0]; at < run[1]; at += 1) {
    const { low, capital } = tokenAt(tokens, at)
    if (hedges.has(low) && !(low === 'may' && capital)) return 'hypothetical'
    if (low === 'under' && /^(?:review|investigation|discussion)$/.test(lowAt(tokens, at + 1)))
      return 'hypothetical'
  }
  const manner = modalityOf(sentence, run, Math.max(verb, run[0]))
  return manner === 'quoted' || manner === 'hypothetical' ? manner : auxiliaryOf(tokens, run)
}

const intending = set('intend intends intended plans planned aims expects expected proposes proposed hopes')

/** Plans and duties are told by their auxiliaries; nouns that tell them are words of the statement itself. */
function auxiliaryOf(tokens: readonly Token[], [from, to]: Run): Claim['modality'] {
  for (let at = from; at < to; at += 1) {
    const { low } = tokenAt(tokens, at)
    if (low === 'will' || intending.has(low)) return 'plan'
    if (low === 'shall' || low === 'must' || low === 'should') return 'target'
  }
  return 'actual'
}

function namesIn({ names }: Sentence, [from]: Run): string[] {
  const words = names.filter(({ run }) => run[0] >= from).flatMap((name) => name.words)
  return [...new Set(words.map((word) => stemOf(canonical(word))))].toSorted()
}
