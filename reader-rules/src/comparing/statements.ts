/**
 * Two sentences as wholes: only where nearly all words of one stand in the other do they speak of the same, and only then
 * does it count that one denies what the other affirms.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Judgement } from '@concord/reading/src/finding.ts'
import { monthNames } from '@concord/reading/src/months.ts'
import { canonical } from '@concord/reading/src/words/canon.ts'
import { exclusivesIn, exclusiveWords } from '../claims/exclusive.ts'
import { stemOf } from '../claims/opposites.ts'
import { movement } from './moving.ts'
import type { Prepared } from './prepared.ts'
import { isRefigured } from './refigured.ts'
import { compareSubjects } from './subjects.ts'
import { blanketNouns, vague } from './words.ts'

export function isStatement({ value }: Claim): boolean {
  return value.type === 'word' && value.family === 'statement'
}

interface Overlap {
  /** Words in common that say something. */
  readonly telling: readonly string[]
  /** Share of the shorter that stands in the longer. */
  readonly inner: number
  /** Share of the longer that stands in the shorter. */
  readonly outer: number
  /** The words that only one of them says. */
  readonly onlyA: readonly string[]
  readonly onlyB: readonly string[]
}

const weightOfVague = 0.6
const light: ReadonlySet<string> = new Set([...vague].map(stemOf))
const blanket: ReadonlySet<string> = new Set([...blanketNouns].map(stemOf))

function weight(words: readonly string[]): number {
  let sum = 0
  for (const word of words) sum += light.has(word) || word.endsWith('ly') ? weightOfVague : 1
  return sum
}

function overlap(a: Claim, b: Claim): Overlap {
  const shared = a.attribute.words.filter((word) => b.attribute.words.includes(word))
  const short = [...writtenShort(a, b), ...writtenShort(b, a)]
  const onlyA = a.attribute.words.filter((word) => !shared.includes(word) && !short.includes(word))
  const onlyB = b.attribute.words.filter((word) => !shared.includes(word) && !short.includes(word))
  // Initials say as much as the words they stand for.
  const common = weight(shared) + Math.max(Math.min(1, short.length), weight(short) - 1)
  const [x, y] = [common + weight(onlyA), common + weight(onlyB)]
  return {
    telling: shared.filter((word) => !light.has(word) && !blanket.has(word)),
    inner: common / Math.min(x, y),
    outer: common / Math.max(x, y),
    onlyA,
    onlyB,
  }
}

const capitals = /\b[A-Z]{2,5}\b/g

/** Initials of one and the words they stand for in the other: "SLA" and "service level agreement". */
function writtenShort(a: Claim, b: Claim): readonly string[] {
  for (const initials of a.quote.match(capitals) ?? []) {
    const short = initials.toLowerCase()
    if (!a.attribute.words.includes(short) || b.attribute.words.includes(short)) continue
    const long = spelt(short, b.quote)
    if (long !== null) return [short, ...long.filter((word) => !a.attribute.words.includes(word))]
  }
  return []
}

function spelt(short: string, text: string): string[] | null {
  const words = text.split(/[^\p{L}]+/u, 60)
  for (let from = 0; from + short.length <= words.length; from += 1) {
    const run = words.slice(from, from + short.length)
    if (run.every((word, at) => word.charAt(0).toLowerCase() === short.charAt(at)))
      return run.map((word) => stemOf(canonical(word.toLowerCase())))
  }
  return null
}

const number = /\d/

/** A name or a number tells one thing from another of its kind. */
function tellsApart(claim: Claim, words: readonly string[]): boolean {
  return words.some((word) => number.test(word) || claim.context.includes(word))
}

function deniedBy({ qualifiers, attribute }: Claim, other: Claim): readonly string[] {
  return qualifiers
    .filter((word) => word.startsWith(mark))
    .map((word) => word.slice(mark.length))
    .filter((word) => !attribute.words.includes(word) || other.attribute.words.includes(word))
}

const mark = 'not:'

/** Words that one of them denies and the other affirms. */
function differences(a: Claim, b: Claim): readonly string[] {
  const [x, y] = [deniedBy(a, b), deniedBy(b, a)]
  return [...x.filter((word) => !y.includes(word)), ...y.filter((word) => !x.includes(word))]
}

/** Both deny, and one of them something that the other does not speak of: "did not ask", "did not reply". */
function denyDifferently(a: Claim, b: Claim): boolean {
  if (!denialWords.test(a.valueText) || !denialWords.test(b.valueText)) return false
  return deniesAlone(a, b) || deniesAlone(b, a)
}

function deniesAlone({ qualifiers }: Claim, other: Claim): boolean {
  return qualifiers.some(
    (word) => word.startsWith(mark) && !other.attribute.words.includes(word.slice(mark.length)),
  )
}

function notComparable(reason: string): Judgement {
  return { relation: 'not_comparable', reason, score: 0 }
}

const denialWords = /\b(?:not|no|never|none|neither|without|cannot|nothing|fail(?:s|ed)? to)\b|n['’]t\b/i

/** One has a word of denial that the other has not, or both have words that gainsay each other. */
function ruleOf(a: Claim, b: Claim): 'negation' | 'antonym' {
  return denialWords.test(a.valueText) === denialWords.test(b.valueText) ? 'antonym' : 'negation'
}

const verbatim = 0.9

function otherWorld({ modality }: Claim, other: Claim, { outer }: Overlap): boolean {
  if (modality !== other.modality || modality === 'quoted') return true
  return modality === 'hypothetical' && outer < verbatim
}

/** "No patient died", "it has not been sold": whoever tells of one, or to whom, gainsays it, for only details are added. */
const sweeping =
  /\b(?:no|none|never|nothing)\b|(?:\bnot|n['’]t) (?:yet |\w+ly )?(?:yet )?(?:been |be )?\w{2,}(?:ed|en|own|ade|ent|aid|old|ound|uilt)\b/i

const enough = 3

/** Names alone are in many sentences: "Mr Hale is no member" and "the brother of Mr Hale, a member". */
function saysEnough({ attribute, context }: Claim): boolean {
  return attribute.words.filter((word) => !context.includes(word)).length >= enough
}

function isSweeping(denier: Claim, only: readonly string[]): boolean {
  const { value, attribute } = denier
  return (
    !tellsApart(denier, only) &&
    weight(only) <= weight(attribute.words) * (1 - maxOfShorter) &&
    value.type === 'word' &&
    value.word === 'denied' &&
    (sweeping.test(denier.valueText) || (only.length === 0 && saysEnough(denier)))
  )
}

const maxOfShorter = 0.8
const maxOfLonger = 0.6
const weaklyShorter = 0.5
const weaklyNamed = 0.6

type Strength = 'strong' | 'weak' | 'none'

function strengthOf(a: Claim, b: Claim, found: Overlap): Strength {
  const { inner, outer, onlyA, onlyB, telling } = found
  if (telling.length < 2 || inner < weaklyShorter) return 'none'
  if (isSweeping(a, onlyA) || isSweeping(b, onlyB)) return 'strong'
  const [x, y] = [tellsApart(a, onlyA), tellsApart(b, onlyB)]
  if (x || y) return (x && y) || inner < weaklyNamed ? 'none' : 'weak'
  if (inner >= maxOfShorter && outer >= maxOfLonger) return 'strong'
  return 'weak'
}

function agreement(found: Overlap): Judgement {
  const { onlyA, onlyB, outer } = found
  const [fewer, more] = onlyA.length < onlyB.length ? [onlyA, onlyB] : [onlyB, onlyA]
  if (fewer.length === 0 && (more.length === 0 || (more.length === 1 && outer >= maxOfShorter)))
    return { relation: 'same', reason: 'same', score: 1 }
  return fewer.length === 0
    ? { relation: 'refinement', reason: 'refinement', score: 1 }
    : notComparable('other_attribute')
}

/** Most pairs of a group share the two words of its key and little more. */
function shareTooLittle(a: Claim, b: Claim): boolean {
  const [x, y] = [a.attribute.words, b.attribute.words]
  let shared = 0
  for (const word of x) if (y.includes(word)) shared += 1
  return shared < 2 || shared * 3 < Math.min(x.length, y.length)
}

export function judgeStatements(a: Prepared, b: Prepared): Judgement {
  if (shareTooLittle(a.claim, b.claim)) return notComparable('other_attribute')
  const found = overlap(a.claim, b.claim)
  if (isRefigured(a.claim, b.claim, found)) return judgeFigures(a, b, found)
  const exclusive = judgeExclusive(a, b)
  if (exclusive !== null) return exclusive
  const strength = strengthOf(a.claim, b.claim, found)
  if (strength === 'none') return notComparable('other_attribute')
  if (otherWorld(a.claim, b.claim, found)) return notComparable('other_modality')
  if (found.outer < verbatim && compareSubjects(a, b) === 'other') return notComparable('other_subject')
  const apart = differences(a.claim, b.claim)
  if (apart.length === 0) return strength === 'strong' ? agreement(found) : notComparable('other_attribute')
  if (apart.length % 2 === 0 || denyDifferently(a.claim, b.claim)) return notComparable('other_attribute')
  return {
    relation: movement(a, b, 'open').relation,
    reason: ruleOf(a.claim, b.claim),
    score: scoreIn(found, strength),
  }
}

function judgeFigures(a: Prepared, b: Prepared, found: Overlap): Judgement {
  if (otherWorld(a.claim, b.claim, found)) return notComparable('other_modality')
  if (compareSubjects(a, b) === 'other') return notComparable('other_subject')
  if (differences(a.claim, b.claim).length > 0) return notComparable('other_attribute')
  const score = Math.min(0.8, 0.4 + 0.04 * found.telling.length)
  return {
    relation: movement(a, b, 'open').relation,
    reason: 'figure',
    score: Math.round(score * 100) / 100,
  }
}

/** Both say of which only one can be so, and not the same: null where they do not. */
function judgeExclusive(a: Prepared, b: Prepared): Judgement | null {
  const [x, y] = [exclusivesIn(a.claim.qualifiers), exclusivesIn(b.claim.qualifiers)]
  const apart = [...x].filter(
    ([family, words]) => y.get(family)?.some((word) => words.includes(word)) === false,
  )
  if (apart.length === 0) return null
  const found = overlap(without(a.claim), without(b.claim))
  if (found.telling.length < 2 || found.inner < mostlySame) return null
  if (tellsApart(a.claim, found.onlyA) && tellsApart(b.claim, found.onlyB)) return null
  if (otherWorld(a.claim, b.claim, found) || compareSubjects(a, b) === 'other') return null
  if (differences(a.claim, b.claim).length > 0 || isLongBetween(a.claim, b.claim)) return null
  return {
    relation: movement(a, b, 'open').relation,
    reason: 'exclusive',
    score: scoreIn(found, 'strong'),
  }
}

const mostlySame = 0.6
const longBetween = 45

/** An event on a Monday in one month may happen on a Friday in another. */
function isLongBetween(a: Claim, b: Claim): boolean {
  if (a.assertedAt === null || b.assertedAt === null) return false
  return Math.abs(a.assertedAt - b.assertedAt) > longBetween
}

function without(claim: Claim): Claim {
  const left = exclusiveWords(claim.qualifiers)
  const words = claim.attribute.words.filter((word) => !left.includes(word))
  return { ...claim, attribute: { ...claim.attribute, words } }
}

/** A weak likeness is judged, for whoever asks about just these two, and never reported. */
const doubtful = 0.4

function scoreIn({ inner, outer }: Overlap, strength: Strength): number {
  if (strength === 'weak') return doubtful
  return Math.round(Math.min(0.9, 0.3 + 0.3 * inner + 0.3 * outer) * 100) / 100
}

const months: ReadonlySet<string> = new Set(monthNames.map(stemOf))

/** The longest words are the rarest; the first are what a denial and a longer account of the same have in common. */
export function statementKeys({ attribute, qualifiers }: Claim): string[] {
  const exclusive = exclusiveWords(qualifiers)
  const telling = attribute.words.filter(
    (word) => !light.has(word) && !number.test(word) && !months.has(word) && !exclusive.includes(word),
  )
  const words = telling.length > 1 ? telling : attribute.words
  const [first, second, third] = words.toSorted(byLength)
  const keys: string[] = []
  addPair(keys, first, second)
  addPair(keys, first, third)
  addPair(keys, words[0], words[1])
  return keys
}

function addPair(keys: string[], x: string | undefined, y: string | undefined): void {
  if (x === undefined || y === undefined) return
  const key = x < y ? `says|${x} ${y}` : `says|${y} ${x}`
  if (!keys.includes(key)) keys.push(key)
}

function byLength(a: string, b: string): number {
  if (a.length !== b.length) return b.length - a.length
  return a < b ? -1 : 1
}
