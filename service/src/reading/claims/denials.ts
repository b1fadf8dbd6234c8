/**
 * Whether there is any such thing. Denials are read wherever "no", "never", "without" or "free of" rule a noun; affirmations
 * only for what people deny: accidents, claims, breaches, deaths. Else every noun would be one.
 */
import type { Claim } from '../../domain/claim.ts'
import { claimFrom } from './build.ts'
import { adverbs, determiners, lightNouns } from './lexicon.ts'
import { Gathering } from './gathering.ts'
import { isVerb, nounsAfter } from './phrases.ts'
import type { Run } from './phrases.ts'
import { describe } from './describing.ts'
import type { Said } from './describing.ts'
import { periodNear } from './periods.ts'
import { clauseOf } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { lowAt, tokenAt } from './tokens.ts'
import type { Token } from './tokens.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Nouns whose denial says nothing that another text could gainsay. */
const idle =
  set(`reason doubt need comment representation warranty way matter obligation cause guarantee assurance effect event
  opinion answer view sense question action change right liability responsibility impact difference entry column
  part one such other`)

/** "no later than", "no more", "no single": not a denial of what follows. */
const comparing = set('later more less fewer longer single other such one better worse earlier higher lower')

/** What people deny, and what therefore counts when it is said to have happened. */
const deniable =
  set(`accident incident claim litigation dispute breach death complaint deviation default recall injury asbestos
  subtenant conflict outage illness fine penalty sanction investigation fraud theft leak contamination foreign defect
  objection strike bankruptcy insolvency arrear overdue violation infection infringe disqualification whistleblower
  layoff redundancy explosion spill casualty conviction hospitalisation interrupt mould
  noncompliance vulnerability malware ransomware allergen pest crack corrosion`)

export function existenceIn(said: Said): Claim[] {
  const denial = denialIn(said)
  if (denial !== null) return [denial]
  const affirmation = affirmationIn(said)
  return affirmation === null ? [] : [affirmation]
}

const denying = set('no without never not neither nor none nil free')

function denialIn(said: Said): Claim | null {
  const { sentence } = said
  const { tokens } = sentence
  for (let at = 0; at < tokens.length; at += 1) {
    if (!denying.has(tokenAt(tokens, at).low)) continue
    const run = deniedRun(sentence, at)
    if (run === null || run[0] === run[1]) continue
    const claim = existenceClaim(said, run, at, false)
    if (claim !== null) return claim
  }
  return null
}

/** The noun phrase that a word of denial rules. */
function deniedRun(sentence: Sentence, at: number): Run | null {
  const { tokens, taken } = sentence
  const { low } = tokenAt(tokens, at)
  const next = tokens[at + 1]?.low ?? ''
  if (low === 'no') return comparing.has(next) || next === '.' ? null : wide(sentence, at + 1)
  if (low === 'without') return nounsAfter(tokens, at + 1, tokens.length, taken)
  if (low === 'free')
    return next === 'of' || next === 'from' ? nounsAfter(tokens, at + 2, tokens.length, taken) : null
  if (low === 'never' || low === 'not') return isVerbSoon(tokens, at) ? deniedObject(sentence, at) : null
  return null
}

/** "no pending or threatened litigation", "no customer has reported a breach": what is denied to be there. */
function wide(sentence: Sentence, from: number): Run {
  const { tokens, taken } = sentence
  const first = joinedAfter(sentence, from)
  const verb = first[1] > first[0] ? mainVerbAfter(tokens, first[1]) : -1
  if (verb === -1) return first
  const object = nounsAfter(tokens, verb + 1, tokens.length, taken)
  return object[0] < object[1] && isActive(tokens, first[1], verb) ? object : first
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
  if (first[0] === first[1] && isVerb(tokens, first[0]))
    return nounsAfter(tokens, first[0] + 1, tokens.length, taken)
  return first
}

/** The last of the verbs that follow a phrase at once. */
function mainVerbAfter(tokens: readonly Token[], from: number): number {
  let verb = -1
  for (let at = from; at < from + 4 && (isVerb(tokens, at) || lowAt(tokens, at).endsWith('ly')); at += 1)
    if (isVerb(tokens, at)) verb = at
  return verb
}

/** "has reported a", "received any": a deed with an object, not a participle that narrows the noun. */
function isActive(tokens: readonly Token[], from: number, verb: number): boolean {
  for (let at = from; at <= verb; at += 1) if (tokenAt(tokens, at).word === 'be') return false
  return verb > from || determiners.has(lowAt(tokens, verb + 1))
}

function isVerbSoon(tokens: readonly Token[], at: number): boolean {
  return isVerb(tokens, at + 1) || isVerb(tokens, at - 1)
}

/** "did not use X at any", "never held an account": only where "any", "a" or a plural makes it speak of all. */
function deniedObject(sentence: Sentence, at: number): Run | null {
  const { tokens, taken } = sentence
  let verb = at + 1
  while (
    verb < Math.min(tokens.length, at + 4) &&
    (isVerb(tokens, verb) || adverbs.has(tokenAt(tokens, verb).low))
  )
    verb += 1
  const marker = tokens[verb]?.low
  if (tokenAt(tokens, at).low === 'not' && marker !== 'any') return null
  if (marker !== 'any' && marker !== 'a' && marker !== 'an') return null
  return nounsAfter(tokens, verb, tokens.length, taken)
}

function existenceClaim(said: Said, run: Run, at: number, exists: boolean): Claim | null {
  const { sentence, scene } = said
  const { tokens } = sentence
  const head = tokens[run[1] - 1]
  if (head === undefined || idle.has(head.word) || idle.has(head.low) || lightNouns.has(head.word))
    return null
  const gathering = new Gathering(sentence)
  if (exists && head.word === 'claim') gathering.add('litigation', run[1] - 1)
  else gathering.phrase(run)
  if (lowAt(tokens, run[1]) === 'rated') gathering.add(lowAt(tokens, run[1] + 1), run[1] + 1)
  const measure = gathering.measure(exists ? 0.75 : 0.85)
  if (measure === null) return null
  const draft = describe(said, agentless(said, measure, run, exists), run)
  if (draft.modality !== 'actual' && draft.modality !== 'quoted') return null
  if (tokens.some((token) => token.word === 'scenario' || (token.word === 'case' && token.low === 'case')))
    return null
  return claimFrom(scene.text, {
    ...draft,
    kind: 'existence',
    value: { type: 'existence', exists, blanket: !exists && isBlanket(tokens, at) },
    valueSpan: [tokens[exists ? run[0] : at]?.start ?? 0, head.end],
    period: periodNear(sentence, run[0]) ?? said.place.period,
  })
}

/** The subject of a denial is who is denied something: the name after "against", "at", "of", else the document. */
function agentless(
  said: Said,
  measure: NonNullable<ReturnType<Gathering['measure']>>,
  run: Run,
  exists: boolean,
) {
  if (measure.name !== null) return measure
  const { sentence } = said
  const clause = clauseOf(sentence, run[0])
  const name = sentence.names.find(
    (each) => each.run[0] >= (exists ? clause[0] : run[1]) && each.run[1] <= clause[1],
  )
  if (name === undefined) return { ...measure, whole: !exists }
  return { ...measure, name }
}

const sweeping = set('any never none whatsoever ever all nil')

function isBlanket(tokens: readonly Token[], at: number): boolean {
  return tokenAt(tokens, at).low === 'no' || tokens.some((token) => sweeping.has(token.low))
}

const generic = set('any each every potential possible future such all')

/** "Asbestos was found", "a claim was served": something that people deny is said to be. */
function affirmationIn(said: Said): Claim | null {
  const { sentence } = said
  const { tokens } = sentence
  if (tokens.some((token) => denying.has(token.low) || generic.has(token.low))) return null
  if (!asserts(sentence)) return null
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokenAt(tokens, at)
    if (!deniable.has(token.word) || (token.capital && at > 0)) continue
    const run = aroundNoun(sentence, at)
    if (token.word === 'claim' && !isLegal(tokens)) continue
    const claim = existenceClaim(said, run, run[0], true)
    if (claim !== null) return claim
  }
  return null
}

const legal = set(
  'court serve sue writ plaintiff defendant tribunal damage arbitration statement sued served litigation',
)

/** A claim of the law, not what somebody says or asks an insurer for. */
function isLegal(tokens: readonly Token[]): boolean {
  return tokens.some((token) => legal.has(token.word) || legal.has(token.low))
}

/** The noun with the words before it; a verb alone ("died") stands for its noun. */
function aroundNoun(sentence: Sentence, at: number): Run {
  const { tokens, taken } = sentence
  if (isVerb(tokens, at)) return [at, at + 1]
  let from = at
  while (from > 0 && at - from < 3 && !taken(from - 1) && isPlainNoun(tokens, from - 1)) from -= 1
  return [from, at + 1]
}

function isPlainNoun(tokens: readonly Token[], at: number): boolean {
  const run = nounsAfter(tokens, at, at + 1, () => false)
  return run[0] === at && run[1] === at + 1
}

/** A past form, "there is", or a date: an event, not a rule. */
function asserts(sentence: Sentence): boolean {
  const { tokens } = sentence
  return tokens.some((token, at) => {
    if (
      token.low === 'was' ||
      token.low === 'were' ||
      token.low === 'had' ||
      token.low === 'has' ||
      token.low === 'have'
    )
      return true
    if (token.low === 'there') return true
    return token.low !== token.word && isVerb(tokens, at) && !token.low.endsWith('s')
  })
}
