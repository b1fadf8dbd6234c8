/**
 * Two sentences as wholes: only where nearly all words of one stand in the other do they speak of the same, and only then
 * does it count that one denies what the other affirms.
 */
import type { Claim } from '../../domain/claim.ts'
import type { Judgement } from '../../domain/finding.ts'
import { movement } from './moving.ts'
import type { Prepared } from './prepared.ts'
import { compareSubjects } from './subjects.ts'
import { blanketNouns, vague } from './words.ts'

export function isStatement({ value }: Claim): boolean {
  return value.type === 'word' && value.family === 'statement'
}

const weightOfVague = 0.6

function weight(words: Iterable<string>): number {
  let sum = 0
  for (const word of words) sum += vague.has(word) ? weightOfVague : 1
  return sum
}

const number = /\d/

function isNamed(claim: Claim, word: string): boolean {
  return number.test(word) || claim.context.includes(word)
}

/** What one says and the other does not. */
function beyond(from: Claim, against: Claim): string[] {
  return from.attribute.words.filter((word) => !against.attribute.words.includes(word))
}

interface Overlap {
  /** Share of the shorter that stands in the longer. */
  readonly inner: number
  /** Share of the longer that stands in the shorter. */
  readonly outer: number
  readonly telling: number
}

function overlap(a: Claim, b: Claim): Overlap {
  const shared = a.attribute.words.filter((word) => b.attribute.words.includes(word))
  const common = weight(shared)
  const [x, y] = [weight(a.attribute.words), weight(b.attribute.words)]
  const telling = shared.filter((word) => !vague.has(word) && !blanketNouns.has(word)).length
  return { inner: common / Math.min(x, y), outer: common / Math.max(x, y), telling }
}

const leastInner = 0.8
const leastOuter = 0.6
const verbatim = 0.9

function deniedBy(claim: Claim): readonly string[] {
  return claim.qualifiers.filter((word) => word.startsWith('not:'))
}

/** How many words are denied by one of them only. */
function differences(a: Claim, b: Claim): number {
  const [x, y] = [deniedBy(a), deniedBy(b)]
  return x.filter((word) => !y.includes(word)).length + y.filter((word) => !x.includes(word)).length
}

function notComparable(reason: string): Judgement {
  return { relation: 'not_comparable', reason, confidence: 0 }
}

/** Both words of denial, or a word and its opposite. */
function ruleOf(a: Claim, b: Claim): 'negation' | 'antonym' {
  return denialWords.test(a.valueText) === denialWords.test(b.valueText) ? 'antonym' : 'negation'
}

const denialWords = /\b(?:not|no|never|none|neither|without|cannot|nothing|fail(?:s|ed)? to)\b|n['’]t\b/i

function stands({ modality }: Claim, near: boolean): boolean {
  return modality !== 'quoted' && (near || modality !== 'hypothetical')
}

function unlike(a: Prepared, b: Prepared, { inner, outer, telling }: Overlap): string | null {
  const [x, y] = [a.claim, b.claim]
  if (inner < leastInner || outer < leastOuter || telling < 2) return 'other_attribute'
  const near = outer >= verbatim
  if (x.modality !== y.modality || !stands(x, near)) return 'other_modality'
  if (beyond(x, y).some((word) => isNamed(x, word)) || beyond(y, x).some((word) => isNamed(y, word)))
    return 'other_attribute'
  return !near && compareSubjects(a, b) === 'other' ? 'other_subject' : null
}

export function judgeStatements(a: Prepared, b: Prepared): Judgement {
  const shared = overlap(a.claim, b.claim)
  const reason = unlike(a, b, shared)
  if (reason !== null) return notComparable(reason)
  const apart = differences(a.claim, b.claim)
  if (apart === 0) return { relation: 'same', reason: 'same', confidence: 1 }
  if (apart % 2 === 0) return notComparable('other_attribute')
  return {
    relation: movement(a, b, 'open').relation,
    reason: ruleOf(a.claim, b.claim),
    confidence: confidenceIn(shared),
  }
}

function confidenceIn({ inner, outer }: Overlap): number {
  return Math.round(Math.min(0.9, 0.3 + 0.3 * inner + 0.3 * outer) * 100) / 100
}

/** The longest words are the rarest, and the likeliest to stand in a retelling too. */
export function statementKeys({ attribute }: Claim): string[] {
  const telling = attribute.words.filter((word) => !vague.has(word) && !number.test(word))
  const [first, second, third] = (telling.length > 1 ? telling : attribute.words).toSorted(byLength)
  if (first === undefined || second === undefined) return []
  const pairs =
    third === undefined
      ? [[first, second]]
      : [
          [first, second],
          [first, third],
          [second, third],
        ]
  return pairs.map((pair) => `says|${pair.join(' ')}`)
}

function byLength(a: string, b: string): number {
  if (a.length !== b.length) return b.length - a.length
  return a < b ? -1 : 1
}
