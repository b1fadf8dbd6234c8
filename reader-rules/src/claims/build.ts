/** Puts a claim together: its quote, its subject in order of closeness, the words around it, and how sure we are. */
import type { Claim, ClaimKind, Days, Value } from '@concord/reading/src/claim.ts'
import { isSpace } from '@concord/reading/src/characters.ts'
import type { Span } from '@concord/reading/src/format.ts'
import type { Hints } from '@concord/reading/src/values.ts'
import { smallWords } from '@concord/reading/src/words/lexicon.ts'
import type { Name } from './names.ts'
import type { Run } from './phrases.ts'
import { tokenAt } from './token.ts'
import type { Token } from './token.ts'

/** Where a claim stands: what surrounds it lends it subject, period and words. */
export interface ClaimPosition {
  readonly subject: Claim['subject']
  readonly assertedAt: number | null
  readonly period: Days | null
  /** Words of headings, columns and questions. */
  readonly context: readonly string[]
  /** The measure a heading names. */
  readonly heading: readonly string[]
  /** True where the parts under it are things of a class: "Employees by site". */
  readonly listed: boolean
  /** For dates without a year. */
  readonly hints: Hints
  readonly quoted: boolean
}

export interface ClaimDraft {
  readonly kind: ClaimKind
  readonly value: Value
  readonly valueSpan: Span
  readonly span: Span
  readonly subject: Claim['subject']
  readonly attribute: { readonly words: readonly string[]; readonly text: string }
  readonly context: readonly string[]
  readonly qualifiers: readonly string[]
  readonly period: Days | null
  readonly modality: Claim['modality']
  readonly replaces: Claim['replaces']
  readonly assertedAt: number | null
  readonly confidence: number
}

const longestQuote = 400

export function claimFrom(text: string, draft: ClaimDraft): Claim {
  const span = quoteSpan(text, draft.span, draft.valueSpan)
  return {
    kind: draft.kind,
    subject: draft.subject,
    attribute: draft.attribute,
    context: draft.context,
    qualifiers: draft.qualifiers,
    value: counted(draft),
    period: draft.period,
    modality: draft.modality,
    replaces: draft.replaces,
    assertedAt: draft.assertedAt,
    span,
    valueSpan: [draft.valueSpan[0], draft.valueSpan[1]],
    // @point reading.quote
    quote: text.slice(span[0], span[1]),
    valueText: text.slice(draft.valueSpan[0], draft.valueSpan[1]),
    confidence: draft.confidence,
  }
}

/** A count is of its noun. */
function counted({ kind, value, attribute }: ClaimDraft): Value {
  if (value.type !== 'number') return value
  if (kind === 'count' && value.unit === '') return { ...value, unit: attribute.words[0] ?? '' }
  // "every two years" is a length of time like "a cycle of two years".
  return value.unit.startsWith('every ') ? { ...value, unit: value.unit.slice(6) } : value
}

/** The whole sentence, or the words around the value where it is long. */
function quoteSpan(text: string, [start, end]: Span, value: Span): Span {
  if (end - start <= longestQuote) return [start, end]
  const room = Math.max(0, longestQuote - (value[1] - value[0])) >> 1
  let from = Math.max(start, value[0] - room)
  let to = Math.min(end, value[1] + room)
  while (from > start && from < value[0] && !isSpace(text.charCodeAt(from - 1))) from += 1
  while (to < end && to > value[1] && !isSpace(text.charCodeAt(to))) to -= 1
  while (from < value[0] && isSpace(text.charCodeAt(from))) from += 1
  while (to > value[1] && isSpace(text.charCodeAt(to - 1))) to -= 1
  return [from, to]
}

export function nameSubject(text: string, tokens: readonly Token[], name: Name): Claim['subject'] {
  const [from, to] = [tokenAt(tokens, name.run[0]), tokenAt(tokens, name.run[1] - 1)]
  return { words: name.words, text: text.slice(from.start, to.end), from: 'clause' }
}

export function textOf(text: string, tokens: readonly Token[], [from, to]: Run): string {
  const [first, last] = [tokens[from], tokens[to - 1]]
  if (first === undefined || last === undefined) return ''
  const words = text.slice(first.start, Math.min(last.end, first.start + 120))
  return uneven.test(words) ? words.replaceAll(/\s+/g, ' ') : words
}

/** White space that is not one blank. */
const uneven = /\s\s|[^\S ]/

const maxContext = 14

/** The context in the sentence: content words that are neither measure nor name nor value. */
export function contextOf(
  tokens: readonly Token[],
  used: readonly string[],
  taken: (at: number) => boolean,
  more: readonly string[],
): string[] {
  const words: string[] = []
  const add = (word: string) => {
    if (words.length < maxContext && !used.includes(word) && !words.includes(word)) words.push(word)
  }
  tokens.forEach((token, at) => {
    if (taken(at) || !carries(token)) return
    add(token.word)
  })
  for (const word of more) add(word)
  return words
}

export function carries(token: Token): boolean {
  return !token.sign && token.low.length > 1 && !smallWords.has(token.low)
}
