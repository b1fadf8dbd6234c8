/** Claims of `Key: value` lines, numbered questions and headers: the key says what is measured, the value says how much. */
import type { Claim, Days } from '../../domain/claim.ts'
import type { Span } from '../format.ts'
import type { FoundValue } from '../values.ts'
import type { Asked } from './asked.ts'
import { claimFrom, contextOf, nameSubject } from './build.ts'
import type { Draft, Place } from './build.ts'
import type { Measure } from './gathering.ts'
import { isRole, replacedBy, roleWords } from './holders.ts'
import { classWords, prepositions, roleInitials } from './lexicon.ts'
import { measureOf } from './measures.ts'
import { modalityOf, qualifiersIn } from './modes.ts'
import { bareName, findNames } from './names.ts'
import { isVerb, runAt } from './phrases.ts'
import { replacingIn } from './replacing.ts'
import { sincePeriod } from './periods.ts'
import { clauseOf, isDate, readSentence } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import type { Scene } from './scene.ts'
import { gradeAt, negated, stateWord, wordValue } from './states.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

export interface Keyed {
  readonly value: Span
  /** What is quoted: key and value. */
  readonly span: Span
}

/** One answer in its place. */
interface Answer {
  readonly scene: Scene
  readonly asked: Asked
  readonly keyed: Keyed
  readonly place: Place
  readonly sentence: Sentence
}

/** What a value says, given what was asked. `asked` may come from a question of its own. */
export function answerClaims(scene: Scene, asked: Asked, keyed: Keyed, place: Place): Claim[] {
  const tokens = scene.tokens(keyed.value)
  if (tokens.length === 0) return []
  const sentence = readSentence(scene.text, keyed.value, tokens, scene.book, place.hints)
  const answer = { scene, asked, keyed, place, sentence }
  const holder = holderOf(answer) ?? placeOf(answer) ?? namedAlone(answer)
  if (holder !== null) return [holder]
  const claims = valueClaims(answer)
  if (claims.length > 0 && !isAnswerWord(tokens)) return claims
  return [wordClaim(answer), stateBehind(answer)].filter((claim) => claim !== null).concat(claims)
}

function isAnswerWord(tokens: readonly Token[]): boolean {
  return ['yes', 'no', 'none', 'nil'].includes(lowAt(tokens, 0))
}

type Base = Omit<Draft, 'kind' | 'value' | 'valueSpan'>

function baseOf({ scene, asked, keyed, place }: Answer, words: readonly string[]): Base {
  const subject = asked.subject ?? place.subject
  const said = scene
    .tokens(keyed.value)
    .filter((token) => !token.sign && !token.digit && token.low.length > 3)
  return {
    span: keyed.span,
    subject,
    attribute: { words, text: asked.text },
    context: contextOf(asked.tokens, [...words, ...subject.words], () => false, [
      ...place.context,
      ...said.map((token) => token.word),
    ]),
    qualifiers: asked.qualifiers,
    period: periodFor(asked, place),
    modality: place.quoted ? 'quoted' : asked.modality,
    replaces: null,
    assertedAt: place.assertedAt,
    confidence: 0.85,
  }
}

/** "From 1 March 2023" lasts until the document speaks. */
function periodFor(asked: Asked, place: Place): Days | null {
  if (asked.period === null) return place.period
  return asked.open ? [asked.period[0], Math.max(asked.period[1], place.assertedAt ?? 0)] : asked.period
}

const mostOfField = 3

function valueClaims(answer: Answer): Claim[] {
  const { asked, sentence } = answer
  const claims: Claim[] = []
  const replacing = replacingIn(sentence)
  const numbers = sentence.values.some((found) => !isDate(found))
  const hasDate = sentence.values.some(isDate)
  for (let index = 0; index < sentence.values.length && claims.length < mostOfField; index += 1) {
    const found = sentence.values[index]
    if (found === undefined || replacing.old.has(index)) continue
    if (isDate(found) ? (numbers && !asked.when) || claims.length > 0 : asked.when && hasDate) continue
    const claim = valueClaim(answer, found, index, claims.length === 0)
    if (claim !== null) claims.push({ ...claim, replaces: replacing.of.get(index) ?? announced(answer) })
  }
  return claims
}

function valueClaim(answer: Answer, found: FoundValue, index: number, first: boolean): Claim | null {
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
function isIdentifier({ tokens }: Asked): boolean {
  return tokens.length === 1 && classWords.has(lowAt(tokens, 0))
}

/** The value's own words, else those that were asked for; a later value without a name or words of its own has none. */
function wordsFor(
  { asked, place, sentence }: Answer,
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

const mostNouns = 3

/** "Alpha Industrials: EUR 58.2m revenue": where the key is but a name, what follows the value is measured. */
function nounsBehind({ tokens, runs, taken }: Sentence, index: number): readonly string[] {
  const nouns: string[] = []
  for (let at = runAt(runs, index)[1]; at < tokens.length && nouns.length < mostNouns; at += 1) {
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
function announced({ asked }: Answer): Claim['replaces'] {
  const renews = asked.tokens.some(
    (token, at) =>
      newer.has(token.low) && /^(?:text|wording|version|value)$/.test(lowAt(asked.tokens, at + 1)),
  )
  return renews ? { value: null, by: 'change' } : null
}

/** "310 (Nimbral group), 205 (Nimbral Cloud)": each number is of the name behind it. */
function nameBehind({ scene, sentence }: Answer, index: number): Claim['subject'] | null {
  const end = runAt(sentence.runs, index)[1]
  if (lowAt(sentence.tokens, end) !== '(') return null
  const name = sentence.names.find((each) => each.run[0] === end + 1)
  return name === undefined ? null : { ...nameSubject(scene.text, sentence.tokens, name), from: 'row' }
}

/** "Yes", "None", "lapsed", "not related", "band D". */
function wordClaim(answer: Answer): Claim | null {
  const { tokens } = answer.sentence
  const { words } = answer.asked
  const first = tokenAt(tokens, 0)
  if (words.length === 0) return null
  const base = baseOf(answer, words)
  const valueSpan: Span = [first.start, first.end]
  const seen = detection(tokens)
  if (seen !== null) {
    return claimFrom(answer.scene.text, {
      ...base,
      kind: 'existence',
      value: { type: 'existence', exists: seen, blanket: false },
      valueSpan,
    })
  }
  const none = first.low === 'none' || first.low === 'nil' || (first.low === 'no' && !tokenAt(tokens, 1).sign)
  if (none)
    return claimFrom(answer.scene.text, {
      ...base,
      kind: 'existence',
      value: { type: 'existence', exists: false, blanket: true },
      valueSpan,
    })
  if (first.low === 'yes' || first.low === 'no') {
    return claimFrom(answer.scene.text, {
      ...base,
      kind: 'status',
      value: { type: 'word', family: 'yes-no', word: first.low, rank: null },
      valueSpan,
      confidence: 0.8,
    })
  }
  return gradeClaim(answer, base) ?? stateClaim(answer, base)
}

/** "Yes, valid without gap since 2019": the state counts more than the yes. */
function stateBehind(answer: Answer): Claim | null {
  const { sentence, asked, scene } = answer
  if (!isAnswerWord(sentence.tokens) || lowAt(sentence.tokens, 1) !== ',') return null
  for (let at = 2; at < Math.min(6, sentence.tokens.length); at += 1) {
    const token = tokenAt(sentence.tokens, at)
    const state = stateWord(token.low)
    if (state === null || state.level || asked.words.length === 0) continue
    const period = sincePeriod(sentence, answer.place, at)
    const base = baseOf(answer, asked.words)
    return claimFrom(scene.text, {
      ...base,
      period: period ?? base.period,
      kind: 'status',
      value: wordValue(state),
      valueSpan: [token.start, token.end],
      confidence: 0.75,
    })
  }
  return null
}

/** "not detected", "absent", "present": whether there is any. */
export function detection(tokens: readonly Token[]): boolean | null {
  const low = lowAt(tokens, 0)
  if (
    low === 'absent' ||
    low === 'undetected' ||
    (low === 'not' && /^(?:detected|found|present)$/.test(lowAt(tokens, 1)))
  )
    return false
  return low === 'detected' || low === 'present' || low === 'found' ? true : null
}

function gradeClaim({ scene, sentence }: Answer, base: Base): Claim | null {
  for (let at = 0; at < Math.min(3, sentence.tokens.length); at += 1) {
    const grade = gradeAt(sentence.tokens, at)
    const mark = tokenAt(sentence.tokens, at + 1)
    if (grade !== null)
      return claimFrom(scene.text, {
        ...base,
        kind: 'level',
        value: grade,
        valueSpan: [mark.start, mark.end],
      })
  }
  return null
}

function stateClaim({ scene, sentence }: Answer, base: Base): Claim | null {
  const { tokens } = sentence
  if (tokens.length > 8) return null
  const not = lowAt(tokens, 0) === 'not'
  const start = not ? 1 : 0
  const joined = stateWord(`${lowAt(tokens, start)}-${lowAt(tokens, start + 1)}`)
  const state = joined ?? stateWord(lowAt(tokens, start))
  const value = state === null ? null : not ? negated(state) : wordValue(state)
  if (state === null || value === null) return null
  const end = tokenAt(tokens, joined === null ? start : start + 1).end
  const valueSpan: Span = [tokenAt(tokens, 0).start, end]
  return claimFrom(scene.text, {
    ...base,
    kind: state.level ? 'level' : 'status',
    value,
    valueSpan,
    confidence: 0.75,
  })
}

/** "Data protection officer: Dr. Matthias Oehmen". */
function holderOf(answer: Answer): Claim | null {
  const { asked, scene } = answer
  const { tokens } = answer.sentence
  if (
    asked.tokens.length > 8 ||
    !asked.tokens.some((token) => isRole(token.word) || roleInitials.has(token.low))
  )
    return null
  const [name] = findNames(tokens, scene.book)
  if (name === undefined || name.run[0] > 1) return null
  const words = roleWords(roleTokens(asked.tokens)).slice(0, 5)
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
const mostOfName = 8
const fewestOfName = 2

/** "Owner of the building: Pelham Estates Ltd": whatever is asked for, a name and nothing else answers who it is. */
function namedAlone(answer: Answer): Claim | null {
  const { asked, scene, sentence } = answer
  const { tokens, values } = sentence
  if (values.length > 0 || tokens.length > mostOfName || asked.words.length === 0 || asked.words.length > 4)
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
function placeOf(answer: Answer): Claim | null {
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
