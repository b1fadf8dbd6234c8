/** The events on a date: "the account was opened on", "it runs until". Other dates only tell the time of something else. */
import { Gathering } from './gathering.ts'
import type { Measure } from './gathering.ts'
import { takeChain, takeSubject } from './subject-words.ts'
import { runAt } from './phrases.ts'
import type { Run } from './phrases.ts'
import { clauseOf, within } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { lastVerb, phrasesIn, subjectOf, verbGroup } from './subjects.ts'
import type { Phrase } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const ending = new Set(['until', 'till', 'through'])
const running = new Set(['run', 'extend', 'last', 'end'])
const intransitive = new Set('end start death open close occur happen arise take'.split(' '))
const shifting = new Set('move postpone extend change delay defer shift bring correct amend'.split(' '))
const dating = new Set(['on', 'in', 'at', 'for', 'by'])

function isCopula(word: string): boolean {
  return word === 'be' || word === 'remain' || word === 'stay' || word === 'become' || word === 'read'
}

/** The event that a date dates, or null where the date is no more than the time of something else. */
export function eventOf(sentence: Sentence, index: number): Measure | null {
  const run = runAt(sentence.runs, index)
  const clause = clauseOf(sentence, run[0])
  const birth = born(sentence, run) ?? opening(sentence, run)
  if (birth !== null) return birth
  const ends = isEnd(sentence.tokens, run)
  const verb = lastVerb(sentence.tokens, clause[0], run[0])
  if (verb === -1) return verbless(sentence, run, clause, ends)
  return happened(sentence, run, clause, verb, ends)
}

function isEnd(tokens: readonly Token[], run: Run): boolean {
  const at = linkBefore(tokens, run)
  const prep = lowAt(tokens, at)
  return ending.has(prep) || (prep === 'to' && running.has(tokenAt(tokens, at - 1).word))
}

/** Finds the link of a date: of "until the end of May" the first word. */
function linkBefore(tokens: readonly Token[], run: Run): number {
  return lowAt(tokens, run[0] - 1) === 'the' ? run[0] - 2 : run[0] - 1
}

/** "born in 1963", "born on 4 May 1970". */
function born(sentence: Sentence, run: Run): Measure | null {
  const { tokens, names } = sentence
  const at = lowAt(tokens, run[0] - 1) === 'born' ? run[0] - 1 : run[0] - 2
  if (lowAt(tokens, at) !== 'born') return null
  const gathering = new Gathering(sentence)
  const name = names.findLast((each) => each.run[1] <= at)
  if (name !== undefined) gathering.named(name)
  gathering.add('birth', at)
  return gathering.measure(0.9)
}

/** Whether a date stands in an opening such as "Founded in 1978, the company". */
export function isOpening({ tokens }: Sentence, run: Run): boolean {
  const first = tokenAt(tokens, 0)
  return (
    run[0] === 2 &&
    /^(?:in|on)$/.test(lowAt(tokens, 1)) &&
    lowAt(tokens, run[1]) === ',' &&
    (first.low.endsWith('ed') || first.low === 'built')
  )
}

function opening(sentence: Sentence, run: Run): Measure | null {
  const { tokens, names } = sentence
  if (!isOpening(sentence, run)) return null
  const gathering = new Gathering(sentence)
  const name = names.find((each) => each.run[0] === run[1] + 1)
  if (name !== undefined) gathering.named(name)
  else gathering.whole = true
  gathering.add(tokenAt(tokens, 0).word, 0)
  return gathering.measure(0.8)
}

function happened(sentence: Sentence, run: Run, clause: Run, verb: number, ends: boolean): Measure | null {
  const { tokens } = sentence
  const { word } = tokenAt(tokens, verb)
  if (!ends && !dates(tokens, run, verb)) return null
  const first = verbGroup(tokens, verb, clause[0])
  const gathering = new Gathering(sentence)
  const subject = subjectOf(sentence, clause, first)
  if (subject.pronoun === 'there') return null
  takeSubject(sentence, gathering, subject, false)
  const objects = takeDeed(sentence, gathering, run, clause, verb, ends)
  // "The tenant may end the lease on 31 May": a right to, and no end.
  if (isRight(tokens, first, verb)) gathering.add('right', verb)
  const said = gathering.words.length
  if (objects.length === 0 || ends) takeChain(sentence, gathering, subject)
  if (said === 0 && !isDatable(gathering, word, verb)) return null
  const sure = ends || gathering.words[0] === 'due' || isPassive(tokens, verb, clause[0])
  return gathering.measure(sure || intransitive.has(word) ? 0.85 : 0.6)
}

/** Finds the event, and to what. */
function takeDeed(
  sentence: Sentence,
  gathering: Gathering,
  run: Run,
  clause: Run,
  verb: number,
  ends: boolean,
): readonly Phrase[] {
  const { tokens } = sentence
  const due = dueBetween(tokens, verb, run[0])
  if (due !== -1) {
    gathering.add('due', due)
    return []
  }
  if (ends || isDeed(tokens, run, verb)) gathering.add(ends ? 'end' : tokenAt(tokens, verb).word, verb)
  const objects = objectsOf(sentence, verb, run[0], clause[0])
  for (const phrase of objects) gathering.phrase(phrase.run)
  return objects
}

function isRight(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at <= to; at += 1) if (/^(?:may|can|could|might)$/.test(lowAt(tokens, at))) return true
  return false
}

/** "falls due in", "is repayable on": where the word is; -1 where none is. */
function dueBetween(tokens: readonly Token[], verb: number, to: number): number {
  for (let at = verb; at < Math.min(to, verb + 3); at += 1)
    if (/^(?:due|repayable|payable|matures?|matured)$/.test(lowAt(tokens, at))) return at
  return -1
}

/** "The deadline is 3 May", but not "the rent is" with a date behind it. */
function isDatable(gathering: Gathering, verb: string, at: number): boolean {
  // "It should read 21 June": of whatever was spoken of.
  if (gathering.words.length === 0 && gathering.pronoun) gathering.add('date', at)
  return !isCopula(verb) || gathering.words.some((each) => datable.has(each))
}

/** Whether the date tells when: "on 3 May", "moved to 3 May", "is 3 May". */
function dates(tokens: readonly Token[], run: Run, verb: number): boolean {
  const { word } = tokenAt(tokens, verb)
  if (dating.has(lowAt(tokens, linkBefore(tokens, run))) || isShift(tokens, run, verb)) return true
  return isCopula(word) && run[0] - verb <= 2
}

function isShift(tokens: readonly Token[], run: Run, verb: number): boolean {
  return lowAt(tokens, run[0] - 1) === 'to' && shifting.has(tokenAt(tokens, verb).word)
}

/** The verb says what happened, and not only that or when something did. */
function isDeed(tokens: readonly Token[], run: Run, verb: number): boolean {
  return !isCopula(tokenAt(tokens, verb).word) && !isShift(tokens, run, verb) && !takesPlace(tokens, verb)
}

/** "The inspection took place on", "occurred on": the noun is the event. */
function takesPlace(tokens: readonly Token[], verb: number): boolean {
  const { word } = tokenAt(tokens, verb)
  return word === 'occur' || word === 'happen' || (word === 'take' && lowAt(tokens, verb + 1) === 'place')
}

/** The objects of the deed; of a passive it is the subject. */
function objectsOf(sentence: Sentence, verb: number, to: number, floor: number): Phrase[] {
  if (isPassive(sentence.tokens, verb, floor) || takesPlace(sentence.tokens, verb)) return []
  const phrases = phrasesIn(sentence, [verb + 1, to])
  return phrases.filter((phrase) => phrase.prep === null || phrase.prep === 'verb').slice(0, 1)
}

function isPassive(tokens: readonly Token[], verb: number, floor: number): boolean {
  for (let at = verb - 1; at >= Math.max(floor, verb - 3); at -= 1)
    if (tokenAt(tokens, at).word === 'be') return true
  return false
}

const datable = new Set(
  'date day deadline end start birth release term maturity complete handover'.split(' '),
)

/** "last inspection on 4 March", "valid until 2026": no verb, so the noun is the event. */
function verbless(sentence: Sentence, run: Run, clause: Run, ends: boolean): Measure | null {
  const prep = lowAt(sentence.tokens, run[0] - 1)
  if (!ends && prep !== 'on' && prep !== 'in') return null
  const gathering = new Gathering(sentence)
  const [phrase] = phrasesIn(sentence, [clause[0], run[0] - 1]).slice(-1)
  if (ends) gathering.add('end', run[0] - 1)
  if (phrase !== undefined) gathering.phrase(phrase.run)
  return gathering.measure(0.6)
}

/** "The ship was built in 1997 and is 31 m long": the date has a clause of its own, and a deed done then. */
export function isAlone(sentence: Sentence, index: number): boolean {
  const { tokens, runs } = sentence
  const run = runAt(runs, index)
  const clause = clauseOf(sentence, run[0])
  if (!/^(?:in|on)$/.test(lowAt(tokens, run[0] - 1))) return false
  if (runs.some((other, at) => at !== index && other[1] > 0 && within(other, clause))) return false
  const verb = lastVerb(tokens, clause[0], run[0])
  return verb === run[0] - 2 && isPassive(tokens, verb, clause[0]) && tokenAt(tokens, verb).word !== 'be'
}

const turning = new Set(['end', 'start', 'mature', 'fall', 'be'])

/** "The loan of GBP 12m falls due in September 2027", "… and ends in May 2031": the date is what is said. */
function isTerm(sentence: Sentence, run: Run): boolean {
  const { tokens, taken } = sentence
  const verb = lastVerb(tokens, clauseOf(sentence, run[0])[0], run[0])
  if (verb === -1 || run[0] - verb > 4 || !turning.has(tokenAt(tokens, verb).word)) return false
  for (let at = verb; at < run[0]; at += 1) if (taken(at)) return false
  const { word } = tokenAt(tokens, verb)
  return word === 'end' || word === 'start' || dueBetween(tokens, verb, run[0]) !== -1
}

/** Whether a date beside other values is a claim of its own: something ends, or is done on that very day. */
export function isOwnEvent(sentence: Sentence, index: number): boolean {
  const { tokens, values, runs } = sentence
  const run = runAt(runs, index)
  if (
    isOpening(sentence, run) ||
    isEnd(tokens, run) ||
    lowAt(tokens, run[0] - 1) === 'born' ||
    lowAt(tokens, run[0] - 2) === 'born'
  )
    return true
  const found = values[index]
  if (isTerm(sentence, run) || isAlone(sentence, index)) return true
  if (
    lowAt(tokens, run[0] - 1) !== 'on' ||
    found?.value.type !== 'date' ||
    found.value.days[0] !== found.value.days[1]
  )
    return false
  const clause = clauseOf(sentence, run[0])
  return !runs.some((other, at) => at !== index && other[0] >= clause[0] && other[0] < run[0])
}
