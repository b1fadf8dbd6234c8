/** Denials: "there is no X", "X was not detected", "never held an X", "free of X", "without X", "does not use X". */
import type { Claim } from '@concord/reading/src/claim.ts'
import { foundThing } from './affirmations.ts'
import type { Said } from './describing.ts'
import { existenceClaim } from './existence.ts'
import { adverbs, determiners } from '@concord/reading/src/words/lexicon.ts'
import { isVerb, nounsAfter } from './phrases.ts'
import type { Run } from './phrases.ts'
import type { Sentence } from './sentence.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const denying = new Set('no without never not free neither nor'.split(' '))
const maxDenials = 2

/** The denials of a sentence, two at most. */
export function denialsIn(said: Said): Claim[] {
  const { sentence } = said
  const claims: Claim[] = []
  for (let at = 0; at < sentence.tokens.length && claims.length < maxDenials; at += 1) {
    if (isNobody(sentence.tokens, at)) {
      const claim = existenceClaim(said, { run: [at, at + 1], from: at, exists: false, word: 'person' })
      if (claim !== null) claims.push(claim)
    }
    if (!denying.has(lowAt(sentence.tokens, at))) continue
    const run = deniedRun(sentence, at)
    if (run === null || run[0] === run[1]) continue
    const claim = existenceClaim(said, { run, from: at, exists: false, word: null })
    if (claim !== null) claims.push(claim)
  }
  return claims
}

/** "Nobody was on the premises"; who did nothing is no matter of who was there. */
function isNobody(tokens: readonly Token[], at: number): boolean {
  if (lowAt(tokens, at) !== 'nobody') return false
  return (
    /^(?:was|is|were)$/.test(lowAt(tokens, at + 1)) &&
    /^(?:on|in|at|inside|aboard)$/.test(lowAt(tokens, at + 2))
  )
}

/** "no later than", "no more", "no single": not a denial of what follows. */
const comparing = new Set(
  'later more less fewer longer single other such one better worse earlier higher lower'.split(' '),
)

/** The noun phrase that a word of denial rules. */
function deniedRun(sentence: Sentence, at: number): Run | null {
  const { tokens, taken } = sentence
  const next = lowAt(tokens, at + 1)
  switch (lowAt(tokens, at)) {
    case 'no':
      return comparing.has(next) || tokenAt(tokens, at + 1).sign ? null : wide(sentence, at + 1)
    case 'neither':
    case 'nor':
    case 'without':
      return nounsAfter(tokens, at + 1, tokens.length, taken)
    case 'free':
      return next === 'of' || next === 'from' ? nounsAfter(tokens, at + 2, tokens.length, taken) : null
    default:
      return isVerb(tokens, at + 1) || isVerb(tokens, at - 1)
        ? (foundThing(sentence, at) ?? deniedObject(sentence, at) ?? deniedAny(sentence, at))
        : null
  }
}

/** Deeds by which things come to be or to be known; others say something of what is there. */
const telling = new Set(
  `report record occur happen find identify detect register note observe receive raise make arise exist lodge file remain
   announce pay grant issue use take have hold suffer experience notify be submit discover carry perform conduct
   undertake do complete store keep process`.split(/\s+/),
)
const people = new Set(
  'employee customer subject patient person worker member director tenant participant driver resident supplier'.split(
    ' ',
  ),
)

/** "no pending or threatened litigation", "no customer has reported a breach": what is denied to be there. */
function wide(sentence: Sentence, from: number): Run | null {
  const { tokens, taken } = sentence
  const first = inner(sentence, joinedAfter(sentence, from))
  const verb = first[1] > first[0] ? mainVerbAfter(tokens, first[1]) : -1
  if (verb === -1) return first
  const known = telling.has(tokenAt(tokens, verb).word)
  if (isActive(tokens, first[1], verb)) {
    const object = nounsAfter(tokens, verb + 1, tokens.length, taken)
    if (object[0] < object[1]) return known ? object : null
  }
  const agent = people.has(tokenAt(tokens, first[1] - 1).word) && tokenAt(tokens, verb).word !== 'be'
  return agent || !(known || isParticiple(tokens, first[1], verb)) ? null : first
}

/** "no case of illness", "no evidence of fraud": of what is behind it. */
function inner({ tokens, taken }: Sentence, run: Run): Run {
  if (
    lowAt(tokens, run[1]) !== 'of' ||
    !/^(?:case|instance|evidence|sign|trace|record|report|indication|form)s?$/.test(lowAt(tokens, run[1] - 1))
  )
    return run
  const next = nounsAfter(tokens, run[1] + 1, tokens.length, taken)
  return next[0] < next[1] ? next : run
}

/** "no issues rated high": the verb narrows the noun. */
function isParticiple(tokens: readonly Token[], from: number, verb: number): boolean {
  return verb === from && lowAt(tokens, verb).endsWith('ed') && !determiners.has(lowAt(tokens, verb + 1))
}

/** Adjectives joined by "or" belong to one phrase, though the second may look like a verb. */
function joinedAfter(sentence: Sentence, from: number): Run {
  const { tokens, taken } = sentence
  const first = nounsAfter(tokens, from, tokens.length, taken)
  const low = lowAt(tokens, first[1])
  if (low === 'or' || low === 'and') {
    const skip = isVerb(tokens, first[1] + 1) ? 2 : 1
    const second = nounsAfter(tokens, first[1] + skip, tokens.length, taken)
    if (second[1] - second[0] + skip > 2) return second
  }
  if (first[0] < first[1] || !isVerb(tokens, first[0])) return first
  return nounsAfter(tokens, first[0] + 1, tokens.length, taken)
}

/** The last of the verbs that follow a phrase at once. */
function mainVerbAfter(tokens: readonly Token[], from: number): number {
  let verb = -1
  for (let at = from; at < from + 4; at += 1) {
    if (isVerb(tokens, at)) verb = at
    else if (!lowAt(tokens, at).endsWith('ly')) break
  }
  return verb
}

/** "has reported a", "received any": a deed with an object, not a participle that narrows the noun. */
function isActive(tokens: readonly Token[], from: number, verb: number): boolean {
  for (let at = from; at <= verb; at += 1) if (tokenAt(tokens, at).word === 'be') return false
  return verb > from || determiners.has(lowAt(tokens, verb + 1))
}

/** Things that somebody does or does not have at all. */
const having = new Set(
  'use have hold own keep employ operate contain include accept offer sell possess maintain receive'.split(
    ' ',
  ),
)

/** "did not use any X", "never held an account", "does not use agents": it speaks of all there are. */
function deniedObject(sentence: Sentence, at: number): Run | null {
  const { tokens, taken } = sentence
  let end = at + 1
  while (end < Math.min(tokens.length, at + 4) && isVerbal(tokens, end, at)) end += 1
  if (end === at + 1) return null
  const marker = lowAt(tokens, end)
  const sweeping = marker === 'any' || (lowAt(tokens, at) === 'never' && (marker === 'a' || marker === 'an'))
  const habit =
    /^(?:do|does|did)$/.test(lowAt(tokens, at - 1)) &&
    having.has(tokenAt(tokens, end - 1).word) &&
    !determiners.has(marker)
  return sweeping || habit ? nounsAfter(tokens, end, tokens.length, taken) : null
}

const furthest = 4

/** "is not party to any proceedings", "is not aware of any claim". */
function deniedAny({ tokens, taken }: Sentence, at: number): Run | null {
  for (let index = at + 1; index <= at + furthest; index += 1) {
    if (tokenAt(tokens, index).sign) return null
    if (lowAt(tokens, index) === 'any') return nounsAfter(tokens, index, tokens.length, taken)
  }
  return null
}

/** A verb, an adverb, or the base behind "does not". */
function isVerbal(tokens: readonly Token[], index: number, not: number): boolean {
  const { low, word } = tokenAt(tokens, index)
  return isVerb(tokens, index) || adverbs.has(low) || (index === not + 1 && having.has(word))
}
