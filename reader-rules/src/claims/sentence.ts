/** One sentence taken apart: words, values, names and clauses. Everything that reads claims looks at this and at the place. */
import type { FoundValue, Hints } from '@concord/reading/src/values.ts'
import { findValues } from '@concord/reading/src/values.ts'
import type { Days } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import { findNames } from './names.ts'
import type { Name, NameBook } from './names.ts'
import { clauseStarts } from './phrases.ts'
import type { Run, IsTaken } from './phrases.ts'
import { tokenAt } from './token.ts'
import type { Token } from './token.ts'

export interface Sentence {
  readonly text: string
  readonly span: Span
  readonly tokens: readonly Token[]
  readonly values: readonly FoundValue[]
  /** Tokens of each value. */
  readonly runs: readonly Run[]
  readonly taken: IsTaken
  readonly names: readonly Name[]
  readonly starts: readonly number[]
}

export function readSentence(
  text: string,
  span: Span,
  tokens: readonly Token[],
  book: NameBook,
  hints: Hints,
): Sentence {
  const values = tokens.some(mayBeValue) ? findValues(text, span[0], span[1], hints) : []
  const { runs, taken } = placed(tokens, values)
  const names = findNames(tokens, book).filter((name) => !taken(name.run[0]) || isMarked(tokens, name))
  return { text, span, tokens, values, runs, taken, names, starts: clauseStarts(tokens) }
}

const noneTaken: IsTaken = () => false

function placed(tokens: readonly Token[], values: readonly FoundValue[]): Pick<Sentence, 'runs' | 'taken'> {
  if (values.length === 0) return { runs: [], taken: noneTaken }
  const owner = new Int16Array(tokens.length).fill(-1)
  const runs = values.map((found, index) => claimRun(tokens, owner, found.span, index))
  return { runs, taken: (at) => (owner[at] ?? -1) >= 0 }
}

function isMarked(tokens: readonly Token[], name: Name): boolean {
  return name.run[1] - name.run[0] > 1 && !tokenAt(tokens, name.run[0]).digit
}

const numberWords = new Set(
  `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
   nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half third quarter
   tenth dozen fifth fifths january february march april may june july august september october november december year
   annual daily weekly monthly quarterly yearly once twice`.split(/\s+/),
)

/** Values hold a digit or a word of number; sentences without either are not searched. */
function mayBeValue(token: Token): boolean {
  return token.digit || (!token.sign && (numberWords.has(token.low) || token.low.includes('-')))
}

function claimRun(tokens: readonly Token[], owner: Int16Array, span: Span, index: number): Run {
  let from = tokens.length
  let to = 0
  for (let at = lowerBound(tokens, span[0]); at < tokens.length; at += 1) {
    const token = tokenAt(tokens, at)
    if (token.start >= span[1]) break
    owner[at] = index
    from = Math.min(from, at)
    to = at + 1
  }
  return from < to ? [from, to] : [0, 0]
}

/** The first token that ends behind an offset. */
function lowerBound(tokens: readonly Token[], offset: number): number {
  let [low, high] = [0, tokens.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (tokenAt(tokens, middle).end <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** The clause that holds a token. */
export function clauseOf(sentence: Sentence, at: number): Run {
  let index = 0
  while (index + 1 < sentence.starts.length && (sentence.starts[index + 1] ?? 0) <= at) index += 1
  return [sentence.starts[index] ?? 0, sentence.starts[index + 1] ?? sentence.tokens.length]
}

export function isDate(
  found: FoundValue,
): found is FoundValue & { readonly value: { readonly type: 'date'; readonly days: Days } } {
  return found.value.type === 'date'
}

/** Whether a run lies inside another. */
export function within(run: Run, outer: Run): boolean {
  return run[0] >= outer[0] && run[1] <= outer[1]
}
