/**
 * The measure of a value. The noun it counts, the noun it hangs on ("revenue of"), the subject of the verb that links
 * them ("churn was"), or the deed itself ("backups are kept for"): in this order, and nothing where none of them is.
 */
import { attached } from './attached.ts'
import { Gathering, isWhole } from './gathering.ts'
import type { Measure } from './gathering.ts'
import { lightVerbs, linking } from '@concord/reading/src/words/lexicon.ts'
import { isVerb, nounsAfter, runAt } from './phrases.ts'
import type { Run } from './phrases.ts'
import { clauseOf } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { mainVerb, takeChain, takeSubject } from './subject-words.ts'
import { firstVerb, lastVerb, phrasesIn, subjectOf, verbGroup } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'
import { isNominal } from './verbs.ts'

export function measureOf(sentence: Sentence, index: number): Measure | null {
  const run = runAt(sentence.runs, index)
  const clause = clauseOf(sentence, run[0])
  const kind = sentence.values[index]?.kind
  if (kind === 'count') return countOf(sentence, run, clause)
  if (kind === 'percent' && isPartOfTime(sentence, run)) return null
  if (kind === 'ratio') {
    const direct = counted(sentence, run, clause)
    if (direct !== null) return direct
  }
  const loaned = kind === 'money' ? sizedNoun(sentence, run, clause) : null
  if (loaned !== null) return loaned
  const near =
    kind === 'duration' || kind === 'measure' ? amountOf(sentence, run, clause) : among(sentence, run, clause)
  return (
    near ??
    attached(sentence, run, clause) ??
    aimedAt(sentence, run, clause) ??
    stated(sentence, run, clause, kind === 'money') ??
    loose(sentence, run, clause)
  )
}

/** "the GBP 12m loan": what has the size. */
function sizedNoun(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens, taken } = sentence
  if (!/^(?:the|a|an|its|our|their|this)$/.test(lowAt(tokens, run[0] - 1))) return null
  const nouns = nounsAfter(tokens, run[1], clause[1], taken)
  if (nouns[0] !== run[1] || nouns[0] === nouns[1]) return null
  const gathering = new Gathering(sentence)
  gathering.phrase(nouns)
  return gathering.measure(0.8)
}

/** "39 per cent of them women", "of which 12 per cent are new". */
function among(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens, taken } = sentence
  if (lowAt(tokens, run[1]) !== 'of' || !/^(?:them|whom|which|these|those)$/.test(lowAt(tokens, run[1] + 1)))
    return null
  const from = isVerb(tokens, run[1] + 2) ? run[1] + 3 : run[1] + 2
  const nouns = nounsAfter(tokens, from, clause[1], taken)
  if (nouns[0] === nouns[1]) return null
  const gathering = new Gathering(sentence)
  gathering.phrase(nouns)
  return gathering.measure(0.75)
}

/** "nine months' notice", "28 days of annual leave". */
function amountOf(sentence: Sentence, run: Run, clause: Run): Measure | null {
  return possessed(sentence, run, clause) ?? (isOfNoun(sentence, run) ? counted(sentence, run, clause) : null)
}

/** No noun hangs on the value and no verb stands before it: whatever stands nearest. */
function loose(sentence: Sentence, run: Run, clause: Run): Measure | null {
  return (
    leading(sentence, run, clause) ??
    share(sentence, run, clause) ??
    counted(sentence, run, clause) ??
    beside(sentence, run, clause)
  )
}

/** "the end of a quarter": a time, not a fourth part. */
function isPartOfTime({ tokens }: Sentence, run: Run): boolean {
  return lowAt(tokens, run[1] - 1) === 'quarter' && lowAt(tokens, run[1]) !== 'of'
}

/** "28 days of annual leave", but not "within 28 days of receipt". */
function isOfNoun({ tokens }: Sentence, run: Run): boolean {
  return lowAt(tokens, run[1]) === 'of' && lowAt(tokens, run[0] - 1) !== 'within'
}

/** A bare number is a claim only of the noun it counts, or of one it is said to be. */
function countOf(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens } = sentence
  const verb = lastVerb(tokens, clause[0], run[0])
  const links = verb !== -1 && linking.has(tokenAt(tokens, verb).word)
  const direct = counted(sentence, run, clause)
  if (direct !== null) return links && verb === run[0] - 1 ? sized(sentence, run, clause, direct) : direct
  if (lowAt(tokens, run[0]) === 'one') return null
  return (
    attached(sentence, run, clause) ??
    aimedAt(sentence, run, clause) ??
    (links ? stated(sentence, run, clause, false) : null)
  )
}

/** "The batch size was 4,800 bottles" is of the batch size; "there were 4,800 bottles" of the bottles. */
function sized(sentence: Sentence, run: Run, clause: Run, direct: Measure): Measure {
  const own = stated(sentence, run, clause, false)
  if (own === null || own.words.length === 0 || own.words[0] === direct.words[0]) return direct
  return { ...own, words: [...own.words, direct.words[0] ?? ''].slice(0, 6) }
}

/** "Storage at not more than 7 °C is required": what stands before the value, with no verb between. */
function leading(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const phrases = phrasesIn(sentence, [clause[0], run[0]])
  const core = phrases.findLastIndex((phrase) => phrase.prep === null)
  if (core === -1) return null
  const gathering = new Gathering(sentence)
  for (const phrase of phrases.slice(core, core + 2)) gathering.phrase(phrase.run)
  return gathering.measure(0.65)
}

/** "nine months' notice", "a 35-day retention". */
function possessed(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens, taken } = sentence
  const last = tokenAt(tokens, run[1] - 1)
  const apostrophe =
    /['’]$/.test(sentence.text.slice(last.start, last.end + 1)) ||
    last.possessive ||
    last.low.includes('-') ||
    lowAt(tokens, run[1]) === "'"
  if (!apostrophe) return null
  const from = tokenAt(tokens, run[1]).sign ? run[1] + 1 : run[1]
  // "six months' written notice"
  const nouns = nounsAfter(tokens, isVerb(tokens, from) ? from + 1 : from, clause[1], taken)
  if (nouns[0] === nouns[1]) return null
  const gathering = new Gathering(sentence)
  gathering.phrase(nouns)
  deed(sentence, gathering, run, clause)
  return gathering.measure(0.8)
}

/** "268 employees", "nine medium issues", "two high and nine medium issues". */
function counted(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens, taken } = sentence
  if (lowAt(tokens, run[1]) === 'times') return repeated(sentence, run, clause)
  let nouns = nounsAfter(tokens, afterOf(tokens, run[1]), clause[1], taken)
  if (nouns[0] === nouns[1]) return null
  const shared = sharedHead(sentence, nouns, clause)
  const gathering = new Gathering(sentence)
  if (shared !== null) gathering.add(tokenAt(tokens, shared).word, shared)
  gathering.phrase(nouns)
  if (gathering.words.length === 0) return null
  nouns = shared === null ? nouns : [nouns[0], shared + 1]
  hangers(sentence, gathering, nouns[1], clause)
  deed(sentence, gathering, run, clause)
  return gathering.measure(0.85)
}

/** "The group met three times": so many meetings. */
function repeated(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens } = sentence
  const verb = lastVerb(tokens, clause[0], run[0])
  if (verb === -1 || linking.has(tokenAt(tokens, verb).word)) return null
  const gathering = new Gathering(sentence)
  gathering.add(tokenAt(tokens, verb).word, verb)
  takeChain(sentence, gathering, subjectOf(sentence, clause, verbGroup(tokens, verb, clause[0])))
  return gathering.measure(0.75)
}

function afterOf(tokens: readonly Token[], at: number): number {
  const low = lowAt(tokens, at)
  return low === 'of' || low === 'in' ? at + 1 : at
}

/** The noun that two counts share: "two high and nine medium issues". */
function sharedHead(sentence: Sentence, nouns: Run, clause: Run): number | null {
  const { tokens, taken } = sentence
  const low = lowAt(tokens, nouns[1])
  if ((low !== 'and' && low !== ',') || !taken(nouns[1] + 1) || nouns[1] - nouns[0] > 1) return null
  let at = nouns[1] + 1
  while (taken(at)) at += 1
  const other = nounsAfter(tokens, at, clause[1], taken)
  return other[1] - other[0] > 1 ? other[1] - 1 : null
}

const hanging = new Set(['of', 'with', 'for', 'in', 'at', 'rated'])

/** The words that hang on the measure behind it: "documents of Hofmeer", "issues rated high". */
function hangers(sentence: Sentence, gathering: Gathering, from: number, clause: Run): void {
  const { tokens, taken } = sentence
  const low = lowAt(tokens, from)
  if (!hanging.has(low)) return
  const run = nounsAfter(tokens, from + 1, clause[1], taken)
  if (run[0] < run[1]) gathering.phrase(run)
}

/** The verb of the clause and the name of who does it. */
function deed(sentence: Sentence, gathering: Gathering, run: Run, clause: Run): void {
  const { tokens } = sentence
  const before = lastVerb(tokens, clause[0], run[0])
  const verb = before === -1 ? firstVerb(tokens, [run[1], clause[1]]) : before
  if (verb === -1) return
  const main = before === -1 ? mainVerb(tokens, verb, clause[1]) : verb
  const { word } = tokenAt(tokens, main)
  if (!lightVerbs.has(word) && !linking.has(word) && isVerb(tokens, main)) gathering.add(word, main)
  if (before === -1) return
  const subject = subjectOf(sentence, clause, verbGroup(tokens, verb, clause[0]))
  const [first] = subject.phrases
  const named = first === undefined || isWhole(tokens, first.run[1] - 1)
  takeSubject(sentence, gathering, subject, having.has(word) && !named)
}

/** "The depot has 339 employees": of the depot, and not of whatever the document is about. */
const having = new Set('have employee comprise contain own hold accommodate'.split(' '))

/** "rose by 8 per cent": the growth is measured, not what grew. */
const changing = new Map([
  ['rise', 'growth'],
  ['grow', 'growth'],
  ['increase', 'growth'],
  ['climb', 'growth'],
  ['raise', 'growth'],
  ['fall', 'decline'],
  ['drop', 'decline'],
  ['decrease', 'decline'],
  ['decline', 'decline'],
  ['reduce', 'decline'],
  ['lower', 'decline'],
  ['shorten', 'decline'],
])

/** "rose by 8 per cent", "4 per cent more than". */
function growthOf(tokens: readonly Token[], run: Run, verb: string): string | null {
  if (lowAt(tokens, run[0] - 1) === 'by') return changing.get(verb) ?? null
  const next = lowAt(tokens, run[1])
  if (next === 'more' || next === 'higher' || next === 'above') return 'growth'
  return next === 'less' || next === 'lower' || next === 'fewer' || next === 'below' ? 'decline' : null
}

const spending = new Set('use spend receive get pay have grant allow'.split(' '))

/** "may use EUR 900 a year for training": what the money is for is what it measures. */
function purpose(sentence: Sentence, gathering: Gathering, run: Run, clause: Run): void {
  const { tokens, taken } = sentence
  for (let at = run[1]; at < Math.min(clause[1], run[1] + 4); at += 1) {
    if (lowAt(tokens, at) !== 'for') continue
    const nouns = nounsAfter(tokens, at + 1, clause[1], taken)
    if (nouns[0] < nouns[1]) gathering.lead(() => gathering.phrase(nouns))
    return
  }
}

const setting = new Set(
  `raise increase reduce lower cut extend shorten change postpone move set fix amend adjust revise limit cap defer restore
   keep`.split(/\s+/),
)

/** "The council resolved to raise the tax rate from 420 to 445": of what is raised, not of who resolves. */
function aimedAt(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens } = sentence
  for (let at = run[0] - 2; at >= clause[0]; at -= 1) {
    if (lowAt(tokens, at) !== 'to' || !setting.has(tokenAt(tokens, at + 1).word)) continue
    const [object] = phrasesIn(sentence, [at + 2, run[0]])
    if (object === undefined || object.prep !== null) return null
    const gathering = new Gathering(sentence)
    gathering.phrase(object.run)
    return gathering.measure(0.75)
  }
  return null
}

const trading = new Set(['sell', 'purchase', 'acquire', 'dispose'])

/** "Gross churn in FY2023 was 4.1 per cent"; "backups are kept for 35 days". */
function stated(sentence: Sentence, run: Run, clause: Run, money: boolean): Measure | null {
  const { tokens } = sentence
  const verb = lastVerb(tokens, clause[0], run[0])
  if (verb === -1) return null
  const gathering = new Gathering(sentence)
  const subject = subjectOf(sentence, clause, verbGroup(tokens, verb, clause[0]))
  const { word } = tokenAt(tokens, verb)
  const links = linking.has(word) && !hasObject(sentence, verb, run[0])
  takeSubject(sentence, gathering, subject, false)
  if (money && trading.has(word)) gathering.add('price', verb)
  const growth = growthOf(tokens, run, word)
  if (growth !== null) gathering.add(growth, verb)
  if (!links) acted(sentence, gathering, verb, run)
  if (spending.has(word)) purpose(sentence, gathering, run, clause)
  takeChain(sentence, gathering, subject)
  if (lowAt(tokens, run[1]) === 'of')
    gathering.phrase(nounsAfter(tokens, run[1] + 1, clause[1], sentence.taken))
  const size = sizes.get(lowAt(tokens, run[1]))
  if (size !== undefined) gathering.lead(() => gathering.add(size, run[1]))
  if (links && gathering.words.length === 0) complement(sentence, gathering, run, clause)
  if (links && gathering.words.length === 0) gathering.nameAsWords()
  return gathering.measure(links ? 0.85 : 0.65)
}

/** "deleted after 35 days", "destroyed two years after the visit": kept for as long. */
function isKept(tokens: readonly Token[], run: Run, verb: string): boolean {
  if (!/^(?:delete|destroy|erase|purge|discard|shred|remove)$/.test(verb)) return false
  return lowAt(tokens, run[0] - 1) === 'after' || lowAt(tokens, run[1]) === 'after'
}

/** "184 metres long" is of the length. */
const sizes = new Map([
  ['long', 'length'],
  ['high', 'height'],
  ['tall', 'height'],
  ['wide', 'width'],
  ['deep', 'depth'],
  ['thick', 'thickness'],
  ['old', 'age'],
])

function hasObject(sentence: Sentence, verb: number, to: number): boolean {
  return phrasesIn(sentence, [verb + 1, to]).some((phrase) => phrase.prep === null || phrase.prep === 'verb')
}

/** The deed and what it is done to. */
function acted(sentence: Sentence, gathering: Gathering, verb: number, run: Run): void {
  const { tokens } = sentence
  const { word } = tokenAt(tokens, verb)
  if (isKept(tokens, run, word)) {
    gathering.add('keep', verb)
    return
  }
  const phrases = phrasesIn(sentence, [verb + 1, run[0]])
  const stop = phrases.findIndex(
    ({ prep }) => prep !== null && prep !== 'verb' && prep !== 'of' && prep !== 'possessive',
  )
  const [first] = phrases
  // "react to incidents": of what stands behind the preposition, where nothing else is done to.
  const reached = stop === 0 && first?.prep === 'to' ? 1 : stop
  const objects = phrases.slice(0, reached === -1 ? 2 : Math.min(2, reached))
  const bare = lightVerbs.has(word) && objects.length > 0
  if (!bare && word !== 'be' && word !== 'have' && word !== 'hold') gathering.add(word, verb)
  for (const phrase of objects) gathering.phrase(phrase.run)
}

/** "52 per cent were women". */
function complement(sentence: Sentence, gathering: Gathering, run: Run, clause: Run): void {
  const nouns = nounsAfter(sentence.tokens, run[1], clause[1], sentence.taken)
  if (nouns[0] < nouns[1]) gathering.phrase(nouns)
}

/** "78 per cent of customers renewed", "52 per cent were women". */
function share(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens, taken } = sentence
  const verb = firstVerb(tokens, [run[1], clause[1]])
  if (verb === -1) return null
  const gathering = new Gathering(sentence)
  if (lowAt(tokens, run[1]) === 'of') {
    const nouns = nounsAfter(tokens, run[1] + 1, verb, taken)
    if (nouns[0] < nouns[1]) gathering.phrase(nouns)
  }
  const main = mainVerb(tokens, verb, clause[1])
  const { word } = tokenAt(tokens, main)
  if (word === 'be') complement(sentence, gathering, [main, main + 1], clause)
  else if (!lightVerbs.has(word)) gathering.add(word, main)
  return gathering.measure(0.7)
}

/** No verb at all: the words beside the value, as in a list. */
function beside(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens } = sentence
  if (firstVerb(tokens, clause) !== -1) return null
  const gathering = new Gathering(sentence)
  for (const phrase of phrasesIn(sentence, [clause[0], run[0]]).slice(0, 3)) gathering.phrase(phrase.run)
  if (gathering.words.length === 0) {
    const nouns = nounsAfter(tokens, afterOf(tokens, run[1]), clause[1], sentence.taken)
    if (nouns[0] < nouns[1] && isNominal(tokens[nouns[0]])) gathering.phrase(nouns)
  }
  return gathering.measure(0.6)
}
