/** Claims of `Key: value` lines, numbered questions and headers: the key says what is measured, the value says how much. */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import type { FoundValue } from '@concord/reading/src/values.ts'
import { baseOf, isAnswerWord } from './answers.ts'
import type { AnswerLine, KeyedAnswer } from './answers.ts'
import type { AskedSubject } from './asked.ts'
import { claimFrom, nameSubject } from './build.ts'
import type { ClaimPosition } from './build.ts'
import { codeOf } from './codes.ts'
import { frequencyOf, lengthOf } from './frequencies.ts'
import type { Measure } from './gathering.ts'
import { holdersIn, isRole, replacedBy, roleWords } from './holders.ts'
import { classWords, prepositions, roleInitials } from '@concord/reading/src/words/lexicon.ts'
import { measureOf } from './measures.ts'
import { modalityOf, qualifiersIn } from './modes.ts'
import { bareName, findNames } from './names.ts'
import { isVerb, runAt } from './phrases.ts'
import { replacingIn } from './replacing.ts'
import { replyOf } from './replies.ts'
import { sincePeriod } from './periods.ts'
import { clauseOf, isDate, readSentence } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import type { Scene } from './scene.ts'
import { newThread } from './threads.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'
import { stateAsked, stateBehind, wordClaim } from './worded.ts'

/** The claims of a value, given what was asked. `asked` may come from a question of its own. */
export function answerClaims(
  scene: Scene,
  asked: AskedSubject,
  keyed: KeyedAnswer,
  place: ClaimPosition,
): Claim[] {
  const tokens = scene.tokens(keyed.value)
  if (tokens.length === 0) return []
  const sentence = readSentence(scene.text, keyed.value, tokens, scene.book, place.hints)
  const answer = { scene, asked, keyed, place, sentence }
  const holder = holderOf(answer) ?? placeOf(answer) ?? namedAlone(answer)
  if (holder !== null) return [holder, ...besideHolder(answer, holder)]
  const code = codeOf(answer) ?? oftenOf(answer)
  if (code !== null) return [code]
  const claims = valueClaims(answer)
  if (claims.length > 0 && !isAnswerWord(tokens)) return claims
  return [wordClaim(answer), stateBehind(answer) ?? stateAsked(answer), ...claims, replyOf(answer)].filter(
    (claim) => claim !== null,
  )
}

/** "How often are backups tested? Every quarter". */
function oftenOf(answer: AnswerLine): Claim | null {
  const { tokens } = answer.sentence
  const often = frequencyOf(tokens)
  const words = answer.asked.words.filter((word) => word !== 'often' && word !== 'frequency')
  if (often === null || words.length === 0) return null
  const valueSpan: Span = [tokenAt(tokens, often.run[0]).start, tokenAt(tokens, often.run[1] - 1).end]
  return claimFrom(answer.scene.text, { ...baseOf(answer, words), ...lengthOf(often), valueSpan })
}

/** "Chair: Tore Aasen, site manager": whatever else the answer says of who is named. */
function besideHolder({ scene, sentence, place }: AnswerLine, { valueSpan, attribute }: Claim): Claim[] {
  if (!sentence.tokens.some(({ low }) => low === ',' || low === ';' || low === '(')) return []
  return holdersIn({ scene, sentence, place, thread: newThread() }).filter(
    (claim) => claim.valueSpan[0] !== valueSpan[0] || claim.attribute.words[0] !== attribute.words[0],
  )
}

const maxOfField = 3

function valueClaims(answer: AnswerLine): Claim[] {
  const { asked, sentence, scene } = answer
  const claims: Claim[] = []
  const replacing = replacingIn(sentence)
  const numbers = sentence.values.some((found) => !isDate(found))
  const hasDate = sentence.values.some(isDate)
  let index = 0
  for (; index < sentence.values.length && claims.length < maxOfField; index += 1) {
    const found = sentence.values[index]
    if (found === undefined || replacing.old.has(index)) continue
    if (isDate(found) ? (numbers && !asked.when) || claims.length > 0 : asked.when && hasDate) continue
    if (isDate(found) && !asked.when && isSignature(sentence, index)) continue
    const claim = valueClaim(answer, found, index, claims.length === 0)
    if (claim !== null) claims.push({ ...claim, replaces: replacing.of.get(index) ?? announced(answer) })
  }
  scene.cuts.count += Number(index < sentence.values.length)
  return claims
}

/** "Broker: Calder Row, 30 January 2026": when it was signed, and no date of a broker. */
function isSignature({ tokens, runs }: Sentence, index: number): boolean {
  const [from] = runAt(runs, index)
  const before = tokens.slice(0, Math.max(0, from - 1))
  return lowAt(tokens, from - 1) === ',' && before.length > 0 && before.every(({ capital }) => capital)
}

function valueClaim(answer: AnswerLine, found: FoundValue, index: number, first: boolean): Claim | null {
  const { scene, sentence } = answer
  const name = nameBehind(answer, index)
  const words = wordsFor(answer, found, index, first && name === null)
  if (words.length === 0 || words[0] === 'ci' || (isIdentifier(answer.asked) && found.kind === 'count'))
    return null
  const base = baseOf(answer, words)
  const qualifiers = [
    ...new Set([...base.qualifiers, ...qualifiersIn(sentence.tokens.slice(0, 12))]),
  ].toSorted()
  const beside = sentence.values.find(isDate)?.value.days ?? null
  return claimFrom(scene.text, {
    ...base,
    subject: name ?? base.subject,
    kind: found.kind,
    value: found.value,
    valueSpan: found.span,
    qualifiers,
    period: isDate(found) ? null : (base.period ?? beside),
    modality: base.modality === 'actual' ? modalityAt(sentence, index) : base.modality,
    confidence: first ? 0.85 : 0.6,
  })
}

/** "Line: 4", "Centre: 0417": a mark, not a count. */
function isIdentifier({ tokens }: AskedSubject): boolean {
  return tokens.length === 1 && classWords.has(lowAt(tokens, 0))
}

/** The value's own words, else those that were asked for; a later value without a name or words of its own has none. */
function wordsFor(
  { asked, place, sentence }: AnswerLine,
  found: FoundValue,
  index: number,
  first: boolean,
): readonly string[] {
  const own = isDate(found) ? [] : (ownMeasure(sentence, index)?.words ?? [])
  if (own.length > 0) return own
  if (!first && lowAt(sentence.tokens, runAt(sentence.runs, index)[1]) !== '(' && index > 0) return []
  if (asked.words.length > 0) return asked.words
  const behind = nounsBehind(sentence, index)
  return behind.length > 0 ? behind : place.heading
}

const maxNouns = 3

/** "Alpha Industrials: EUR 58.2m revenue": where the key is but a name, what follows the value is measured. */
function nounsBehind({ tokens, runs, taken }: Sentence, index: number): readonly string[] {
  const nouns: string[] = []
  for (let at = runAt(runs, index)[1]; at < tokens.length && nouns.length < maxNouns; at += 1) {
    const token = tokenAt(tokens, at)
    if (token.sign || token.digit || taken(at) || prepositions.has(token.low) || isVerb(tokens, at)) break
    nouns.unshift(token.word)
  }
  return nouns
}

/** "Main criteria: age 18 to 65 years; score of 16": a value deeper in the answer has words of its own. */
function ownMeasure(sentence: Sentence, index: number): Measure | null {
  return runAt(sentence.runs, index)[0] === 0 ? null : measureOf(sentence, index)
}

function modalityAt(sentence: Sentence, index: number): Claim['modality'] {
  const at = runAt(sentence.runs, index)[0]
  return modalityOf(sentence, clauseOf(sentence, at), at)
}

const newer = new Set(['new', 'amended', 'revised'])

/** "Section 4, new text:" announces a change without the old value. */
function announced({ asked }: AnswerLine): Claim['replaces'] {
  const renews = asked.tokens.some(
    (token, at) =>
      newer.has(token.low) && /^(?:text|wording|version|value)$/.test(lowAt(asked.tokens, at + 1)),
  )
  return renews ? { value: null, by: 'change' } : null
}

/** "310 (Nimbral group), 205 (Nimbral Cloud)": each number is of the name behind it. */
function nameBehind({ scene, sentence }: AnswerLine, index: number): Claim['subject'] | null {
  const end = runAt(sentence.runs, index)[1]
  if (lowAt(sentence.tokens, end) !== '(') return null
  const name = sentence.names.find((each) => each.run[0] === end + 1)
  return name === undefined ? null : { ...nameSubject(scene.text, sentence.tokens, name), from: 'row' }
}

/** "Data protection officer: Dr. Matthias Oehmen". */
function holderOf(answer: AnswerLine): Claim | null {
  const { asked, scene } = answer
  const { tokens } = answer.sentence
  if (asked.tokens.length > 8 || !asked.tokens.some((token) => isRole(token) || roleInitials.has(token.low)))
    return null
  const [name] = findNames(tokens, scene.book)
  if (name === undefined || name.run[0] > 1) return null
  // "Owner of the building" is who owns it; "officer of the processor" is an officer.
  const does = asked.tokens.some((token) => isRole(token) && token.word !== token.low && token.word === 'own')
  const words = does ? asked.words : roleWords(roleTokens(asked.tokens)).slice(0, 5)
  const base = baseOf({ ...answer, asked: { ...asked, subject: null } }, words)
  const valueSpan: Span = [tokenAt(tokens, name.run[0]).start, tokenAt(tokens, name.run[1] - 1).end]
  return claimFrom(scene.text, {
    ...base,
    kind: 'identity',
    value: { type: 'name', words: bareName(tokens.slice(name.run[0], name.run[1])) },
    valueSpan,
    period: sincePeriod(answer.sentence, answer.place, name.run[1]) ?? base.period,
    replaces: replacedBy(answer.sentence, name),
    confidence: 0.8,
  })
}

/** Fields that name somebody in every document, and another one each time. */
const impersonal =
  /\b(?:author|contact|name|client|customer|reference|attention|attn|recipient|sender|present|attend\w*|participants?|copy|distribution|subject|title|project|company|firm|organi[sz]ation|prepared|drafted|written|reported|checked|reviewed|addressee|minutes|apologies|place|location|site|product|item|brand|model|country|city|town|bank|currency)\b/i
const maxOfName = 8
const fewestOfName = 2

/** "Owner of the building: Pelham Estates Ltd": whatever is asked for, a name and nothing else answers who it is. */
function namedAlone(answer: AnswerLine): Claim | null {
  const { asked, scene, sentence } = answer
  const { tokens, values } = sentence
  if (values.length > 0 || tokens.length > maxOfName || asked.words.length === 0 || asked.words.length > 4)
    return null
  if (impersonal.test(asked.text)) return null
  const [name] = findNames(tokens, scene.book)
  if (name === undefined || name.run[0] > 1 || name.run[1] < tokens.length - 1) return null
  const words = bareName(tokens.slice(name.run[0], name.run[1]))
  if (words.length === 0 || name.run[1] < fewestOfName) return null
  return claimFrom(scene.text, {
    ...baseOf(answer, asked.words),
    kind: 'identity',
    value: { type: 'name', words },
    valueSpan: [tokenAt(tokens, name.run[0]).start, tokenAt(tokens, name.run[1] - 1).end],
    confidence: 0.75,
  })
}

/** "Data protection officer of the processor": the words before "of". */
function roleTokens(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex(({ low }, at) => at > 0 && (prepositions.has(low) || low === '('))
  return tokens
    .slice(0, end === -1 ? tokens.length : end)
    .filter((token) => !token.sign && !token.digit && token.low.length > 1)
}

const placeNouns = new Set(['office', 'address', 'seat', 'headquarters', 'domicile', 'venue', 'residence'])

/** "Registered office: 17 Mill Lane": a place is told by its words. */
function placeOf(answer: AnswerLine): Claim | null {
  const { asked, scene, place } = answer
  const { tokens } = answer.sentence
  const words = asked.words.length > 0 ? asked.words : place.heading
  if (!placeNouns.has(words[0] ?? '') || tokens.length > 16) return null
  const name = tokens
    .filter((token) => !token.sign)
    .map((token) => token.low)
    .slice(0, 8)
  if (name.length === 0) return null
  return claimFrom(scene.text, {
    ...baseOf(answer, words),
    kind: 'identity',
    value: { type: 'name', words: name },
    valueSpan: answer.keyed.value,
    confidence: 0.75,
  })
}
