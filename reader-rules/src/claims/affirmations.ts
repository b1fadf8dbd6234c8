/**
 * Things said to be or to have happened. Only what people deny counts: accidents, claims, breaches, deaths, and whatever
 * was found or detected. Else every noun would be one.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Said } from './describing.ts'
import { existenceClaim } from './existence.ts'
import type { Thing } from './existence.ts'
import { isVerb, nounsAfter } from './phrases.ts'
import type { Run } from './phrases.ts'
import { clauseOf } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { subjectOf, verbGroup } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const deniable =
  set(`accident incident claim litigation dispute breach death complaint deviation default recall injury asbestos
  subtenant conflict illness fine penalty sanction investigation fraud theft leak contamination defect objection strike
  bankruptcy insolvency arrear overdue violation infection infringe disqualification layoff redundancy explosion spill
  casualty conviction hospitalisation interrupt mould noncompliance vulnerability malware ransomware allergen pest crack
  corrosion nonconformity fire`)

/** Words that tell of something without its usual name. */
const tellings: ReadonlyMap<string, string> = new Map([
  ['injured', 'accident'],
  ['hurt', 'accident'],
  ['crushed', 'accident'],
  ['burned', 'accident'],
  ['sued', 'litigation'],
  ['fractured', 'accident'],
  ['wounded', 'accident'],
  ['ill', 'illness'],
  ['sick', 'illness'],
])

const denying = set('no without never not neither nor none nil free')
const generic = set('any each every potential possible future such if may can could might shall must should')

export function affirmationIn(said: Said): Claim | null {
  const { sentence } = said
  const { tokens } = sentence
  if (tokens.some(isOpen) || !asserts(tokens)) return null
  for (let at = 0; at < tokens.length; at += 1) {
    const thing = thingAt(sentence, at)
    const claim = thing === null ? null : existenceClaim(said, thing)
    if (claim !== null) return claim
  }
  const had = hadThing(sentence)
  return had === null ? null : existenceClaim(said, { run: had, from: had[0], exists: true, word: null })
}

/** "The client has a warehouse", "there is a sprinkler": said outright, so that "there is no" gainsays it. */
function hadThing({ tokens, taken }: Sentence): Run | null {
  const at = tokens.findIndex(
    ({ low }, index) =>
      (low === 'a' || low === 'an') &&
      (/^(?:has|have)$/.test(lowAt(tokens, index - 1)) ||
        (/^(?:is|was)$/.test(lowAt(tokens, index - 1)) && lowAt(tokens, index - 2) === 'there')),
  )
  if (at === -1) return null
  const run = nounsAfter(tokens, at + 1, tokens.length, taken)
  return run[0] < run[1] && lowAt(tokens, run[1]) !== 'of' ? run : null
}

/** Denied, or said of any there may be: not that there is one. The month is no verb. */
function isOpen({ low, capital }: Token): boolean {
  return denying.has(low) || (generic.has(low) && !(low === 'may' && capital))
}

function thingAt(sentence: Sentence, at: number): Thing | null {
  const { tokens } = sentence
  const token = tokenAt(tokens, at)
  const told = tellings.get(token.low)
  if (told !== undefined) return { run: [at, at + 1], from: at, exists: true, word: told }
  if (deniable.has(token.word) && !(token.capital && at > 0) && !isWellMeant(tokens, at))
    return nounThing(sentence, at, token)
  const found = foundThing(sentence, at)
  return found === null ? null : { run: found, from: found[0], exists: true, word: null }
}

const seeming = set(
  'is are was were be been being looks look looked seems seem seemed feels felt works worked all just quite',
)

/** "It was fine", "all looked fine": nobody has to pay. */
function isWellMeant(tokens: readonly Token[], at: number): boolean {
  return lowAt(tokens, at) === 'fine' && seeming.has(lowAt(tokens, at - 1))
}

const legal = set(
  'court serve sue writ plaintiff defendant tribunal damage arbitration statement sued served',
)

function nounThing(sentence: Sentence, at: number, token: Token): Thing | null {
  const { tokens } = sentence
  if (token.word === 'claim' && !tokens.some(({ word, low }) => legal.has(word) || legal.has(low)))
    return null
  if (isVerb(tokens, at)) return { run: [at, at + 1], from: at, exists: true, word: token.word }
  const run = aroundNoun(sentence, at)
  return { run, from: run[0], exists: true, word: token.word === 'claim' ? 'litigation' : null }
}

/** The noun with the words before it. */
function aroundNoun({ tokens, taken }: Sentence, at: number): Run {
  let from = at
  while (from > 0 && at - from < 3 && !taken(from - 1) && isPlainNoun(tokens, from - 1)) from -= 1
  return [from, at + 1]
}

function isPlainNoun(tokens: readonly Token[], at: number): boolean {
  const run = nounsAfter(tokens, at, at + 1, () => false)
  return run[0] === at && run[1] === at + 1
}

const finding = set('found detected identified discovered observed present')

/** "Traces of peanut were found", "salmonella was not detected": the thing that was looked for. */
export function foundThing(sentence: Sentence, at: number): Run | null {
  const { tokens } = sentence
  const verb = finding.has(lowAt(tokens, at)) ? at : finding.has(lowAt(tokens, at + 1)) ? at + 1 : -1
  if (verb < 2 || !isPassive(tokens, verb)) return null
  const clause = clauseOf(sentence, verb)
  const phrases = subjectOf(sentence, clause, verbGroup(tokens, verb - 1, clause[0])).phrases
  const [first, second] = phrases
  if (first === undefined) return null
  const inner =
    second?.prep === 'of' &&
    /^(?:trace|residue|sign|evidence|case|instance|piece|fragment|particle)s?$/.test(
      lowAt(tokens, first.run[1] - 1),
    )
  const { run } = inner ? second : first
  return lowAt(tokens, run[0] - 1) === 'the' ? null : run
}

function isPassive(tokens: readonly Token[], verb: number): boolean {
  for (let at = verb - 1; at >= Math.max(0, verb - 3); at -= 1)
    if (tokenAt(tokens, at).word === 'be') return true
  return false
}

/** A past form, or "there is": an event, not a rule. */
function asserts(tokens: readonly Token[]): boolean {
  return tokens.some((token, at) => {
    if (past.has(token.low)) return true
    return token.low !== token.word && isVerb(tokens, at) && !token.low.endsWith('s')
  })
}

const past = set('was were had has have there')
