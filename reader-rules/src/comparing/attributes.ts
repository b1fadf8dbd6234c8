/** Whether two claims are of the same measure: words in common that say something, and none that makes another measure of it. */
import type { Prepared } from './prepared.ts'
import { isRetold } from './retelling.ts'
import { blanketNouns, datedEvents, distinguishing, documentary, mereNouns, vague } from './words.ts'

export interface AttributeMatch {
  readonly same: boolean
  /** Between 0 and 1: how much of the words of both is shared. */
  readonly strength: number
  /** Words in common that say something. */
  readonly shared: number
}

const other: AttributeMatch = { same: false, strength: 0, shared: 0 }
const retold: AttributeMatch = { same: true, strength: 1, shared: 3 }
const shortened: AttributeMatch = { same: true, strength: 1, shared: 2 }

/** A word that says little weighs little, on whichever side it is missing. */
const vagueWeight = 0.15
const weakest = 0.34
const evenly = 0.5

function weight(words: readonly string[]): number {
  let sum = 0
  for (const word of words) sum += vague.has(word) ? vagueWeight : 1
  return sum
}

function writtenShort(a: Prepared, b: Prepared): boolean {
  return a.head !== b.head && (a.initials.includes(b.head) || b.initials.includes(a.head))
}

/** "A profit of 4.3m after an impairment of 0.6m": the second figure is of what the other sentence does not speak of. */
function says(a: Prepared, { bag, words }: Prepared): boolean {
  return vague.has(a.head) || bag.includes(a.head) || words.includes(a.head)
}

function common(a: Prepared, b: Prepared): string[] {
  return a.words.filter((word) => b.words.includes(word))
}

/** The words that one side says of the measure and the other nowhere. */
function missing(from: Prepared, against: Prepared): string[] {
  return from.words.filter(
    (word) =>
      !against.words.includes(word) && !against.context.includes(word) && !against.subject.includes(word),
  )
}

/** A head that the other does not even mention belongs to another measure. */
function headsMeet(a: Prepared, b: Prepared): boolean {
  return a.words.includes(b.head) || b.words.includes(a.head)
}

/** A noun is counted for many reasons; what was done to it must agree too. */
function countsApart(a: Prepared, b: Prepared, rest: number, shared: readonly string[]): boolean {
  if (a.family !== 'count' || b.family !== 'count') return false
  if (shared.length > 1) return rest >= shared.length
  return rest >= 1 || Math.max(sharedContext(a, b), sharedContext(b, a)) < contextNeeded(a, b)
}

/** Things that one has so many of as a whole, whatever else is told of them. */
const standing = new Set('employee pupil bed branch aircraft subsidiary resident household'.split(' '))

/** Two counts of one noun on the very same day need nothing else in common. */
function contextNeeded(a: Prepared, b: Prepared): number {
  const [x, y] = [a.claim.period, b.claim.period]
  const alike = a.words.length === b.words.length
  if (x === null || y === null) return !alike ? 2 : standing.has(a.head) ? 0 : mereNouns.has(a.head) ? 2 : 1
  if (x[0] !== y[0] || x[1] !== y[1]) return 1
  return x[0] === x[1] || alike ? 0 : 1
}

/** Both narrow the head in their own way: of one measure only where most of it is said by both. */
function narrowedApart(
  a: Prepared,
  restA: readonly string[],
  restB: readonly string[],
  telling: number,
  strength: number,
): boolean {
  const both = restA.some((word) => !vague.has(word)) && restB.some((word) => !vague.has(word))
  return both && (a.family === 'who' || telling < 2 || strength < evenly)
}

export function compareAttributes(a: Prepared, b: Prepared): AttributeMatch {
  if ((isDocumentary(a) || isDocumentary(b)) && !isSameThing(a, b)) return other
  if (writtenShort(a, b)) return shortened
  if (a.family !== 'who' && isRetold(a, b) && says(a, b) && says(b, a)) return retold
  const shared = common(a, b)
  if (shared.length === 0 || !headsMeet(a, b)) return other
  const telling = tellingIn(shared, a.family)
  if (telling === 0) return other
  return compareRests(a, b, shared, telling)
}

/** How much shared words say: a noun that is there anyway is half a measure, unless it is what is counted. */
function tellingIn(shared: readonly string[], family: string): number {
  let sum = 0
  for (const word of shared) {
    if (!vague.has(word)) sum += family !== 'count' && mereNouns.has(word) ? 0.5 : 1
    else if (family === 'date' && datedEvents.has(word)) sum += 0.75
  }
  return sum
}

function compareRests(a: Prepared, b: Prepared, shared: readonly string[], telling: number): AttributeMatch {
  // A speaker who denies a thing altogether denies every kind of it, so only what narrows the denial counts.
  const restA = isCovered(a, b) ? [] : besides(a, b)
  const restB = isCovered(b, a) ? [] : besides(b, a)
  if ((isDenied(a) && isNarrower(restA)) || (isDenied(b) && isNarrower(restB))) return other
  if (restA.some((word) => distinguishing.has(word)) || restB.some((word) => distinguishing.has(word)))
    return other
  const rest = weight(restA) + weight(restB)
  const both = Math.max(weight(shared), telling)
  const strength = both / (both + rest)
  if (strength < weakest || countsApart(a, b, rest, shared)) return other
  return narrowedApart(a, restA, restB, telling, strength) ? other : { same: true, strength, shared: telling }
}

export function isDenied({ claim: { value } }: Prepared): boolean {
  if (value.type === 'existence') return !value.exists
  return value.type === 'word' && value.word === 'no'
}

/** That it is there and how it is called: "sprinklers installed", "sprinkler protection". */
const presence = new Set(
  'install fit system protect protection equipment facility arrangement device place available exist legal'.split(
    ' ',
  ),
)

function besides(from: Prepared, against: Prepared): string[] {
  const rest = missing(from, against)
  return from.family === 'any' ? rest.filter((word) => !presence.has(word)) : rest
}

/** "No fatal accidents" denies no other accident. */
function isNarrower(rest: readonly string[]): boolean {
  return rest.some((word) => !vague.has(word))
}

function isDeniedAtAll({ claim: { value } }: Prepared): boolean {
  return value.type === 'existence' && !value.exists && value.blanket
}

function isCovered(one: Prepared, all: Prepared): boolean {
  return (isAffirmed(one) && isDeniedAtAll(all)) || isOfAll(all)
}

const ofAll = /^\W*(?:(?:are|is|was|were|have|has) )?(?:all|every|each)\b/i

/** "All covenants were met" speaks of every one of them. */
function isOfAll({ claim: { kind, quote } }: Prepared): boolean {
  return kind === 'status' && ofAll.test(quote)
}

function isAffirmed(claim: Prepared): boolean {
  return ['any', 'count', 'money'].includes(claim.family) && !isDenied(claim)
}

/** Enough for a claim that names the very value it replaces: a telling word of the other's measure anywhere in its sentence. */
export function touches(a: Prepared, b: Prepared): boolean {
  return mentions(a, b) && mentions(b, a)
}

function mentions(a: Prepared, b: Prepared): boolean {
  return b.words.some((word) => !vague.has(word) && (a.words.includes(word) || a.context.includes(word)))
}

/** The date of a report and the period it covers are its own and meet no other. */
function isDocumentary({ family, words }: Prepared): boolean {
  return (family === 'date' || family.startsWith('word:')) && words.every((word) => documentary.has(word))
}

/** Both documents are about one thing that a number names: a batch, a case, a file. */
function isSameThing(a: Prepared, b: Prepared): boolean {
  return a.subject.some((word) => /\d/.test(word) && b.subject.includes(word))
}

/** Words of both sentences beside the measure itself. */
export function sharedContext(a: Prepared, b: Prepared): number {
  let count = 0
  for (const word of a.context) {
    if (!vague.has(word) && (b.context.includes(word) || b.words.includes(word) || b.subject.includes(word)))
      count += 1
  }
  return count
}

/** "No issues were identified" against any sentence with an issue in it; "no customer complained" against any customer. */
export function isBlanketDenial(a: Prepared, b: Prepared): boolean {
  if (a.family !== 'any' && b.family !== 'any') return false
  const shared = common(a, b).filter((word) => !vague.has(word))
  const special = shared.filter((word) => !blanketNouns.has(word) && !mereNouns.has(word))
  if (special.length > 0 || shared.length > 1) return false
  return shared.every((word) => mereNouns.has(word)) || sharedContext(a, b) < 2
}
