/**
 * The words of a statement and the side it takes on each: denials fall on the next word that says something, words with
 * an opposite stand for their concept, and two denials of one word cancel.
 */
import { carries } from './build.ts'
import { sideOf, stemOf } from './opposites.ts'
import { nounsAfter } from './phrases.ts'
import type { Run } from './phrases.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** The content of a stretch of tokens, word by word. */
export class Sides {
  readonly #words = new Set<string>()
  readonly #denied = new Set<string>()
  #pending = 0
  /** Where the pending denials may fall. */
  #from = 0
  /** Denied for the time being: "not yet". */
  later = false
  /** Denies something, or has a word that others gainsay. */
  sided = false

  /** A sentence told as denied, "she disputes that", begins with a denial. */
  constructor(tokens: readonly Token[], [from, to]: Run, disputed: boolean) {
    if (disputed) this.#pending = 1
    for (let at = from; at < to; at += 1) if (!tokenAt(tokens, at).sign) this.#read(tokens, at)
    this.#settle('')
  }

  /** In the order of the sentence. */
  get words(): readonly string[] {
    return [...this.#words]
  }

  /** Those that an odd number of denials falls on. */
  get denied(): readonly string[] {
    return [...this.#denied].toSorted()
  }

  #read(tokens: readonly Token[], at: number): void {
    const token = tokenAt(tokens, at)
    if (deniesNext(tokens, at)) {
      this.#pending += 1
      this.#from = token.low === 'no' ? headAfter(tokens, at) : at
      this.sided = true
    } else if (token.low === 'yet') this.later ||= this.#pending > 0
    else if (!fallsBelow(tokens, at)) this.#add(token, at)
  }

  #add(token: Token, at: number): void {
    const side = sideOf(token.low)
    const word = side?.concept ?? wordOf(token)
    if (word === null) return
    this.#words.add(word)
    this.sided ||= side !== null
    if (side?.denies === true) this.#toggle(word)
    if (at >= this.#from) this.#settle(word)
  }

  #settle(word: string): void {
    if (this.#pending % 2 === 1) this.#toggle(word)
    this.#pending = 0
  }

  #toggle(word: string): void {
    if (!this.#denied.delete(word)) this.#denied.add(word)
  }
}

/** "no active patent litigation": the head of the phrase is denied. */
function headAfter(tokens: readonly Token[], at: number): number {
  const [from, to] = nounsAfter(tokens, at + 1, tokens.length, nothingTaken)
  let head = to - 1
  while (head > from && tokenAt(tokens, head).digit) head -= 1
  return Math.max(head, at)
}

const nothingTaken = () => false

/** "falls below", "dropped under": where it is now, not that it went down. */
function fallsBelow(tokens: readonly Token[], at: number): boolean {
  const next = lowAt(tokens, at + 1)
  if (next !== 'below' && next !== 'within' && next !== 'outside') return false
  const { word } = tokenAt(tokens, at)
  return word === 'fall' || word === 'drop' || word === 'lie'
}

const denials = set(`not no never none neither without cannot nothing nobody nowhere`)

export function isDenial(low: string): boolean {
  return denials.has(low) || low.endsWith("n't") || low.endsWith('n’t')
}

const afterNot = set('only just merely simply least necessarily')
const bounds = set('later more less fewer earlier longer higher lower')
const farthestThan = 4

/** "no later than", "not more than": a bound, and no denial. */
function isBound(tokens: readonly Token[], at: number): boolean {
  if (!bounds.has(lowAt(tokens, at + 1))) return false
  for (let next = at + 2; next < at + farthestThan; next += 1) if (lowAt(tokens, next) === 'than') return true
  return false
}

/** Whether a word denies what follows: "not only", "no later than" and "whether or not" do not. */
function deniesNext(tokens: readonly Token[], at: number): boolean {
  const { low } = tokenAt(tokens, at)
  const next = lowAt(tokens, at + 1)
  if (low.startsWith('fail')) return next === 'to'
  if (!isDenial(low)) return false
  if (low === 'not' && lowAt(tokens, at - 1) === 'or') return false
  if (low === 'no' && (tokenAt(tokens, at + 1).digit || next === '.')) return false
  return !isBound(tokens, at) && !(low === 'not' && afterNot.has(next))
}

const idle =
  set(`several many various certain remain still present eur usd gbp chf percent cent million billion thousand
  m bn k own herself himself itself themselves longer achieve`)

/** One word for those that anyone may put for each other in a retelling. */
const retold: ReadonlyMap<string, string> = new Map(
  [
    'find identify detect discover',
    'state report',
    'complete finish',
    'receive get obtain',
    'additional further extra',
    'perform conduct undertake carry',
    'considerable significant substantial material',
    'total overall',
    'use utilise utilisation utilization',
    'previous prior',
    'about approximately roughly',
    'show demonstrate',
    'confirm verify',
    'current uptodate',
    'help assist',
    'buy purchase',
    'large big',
    'enough sufficient',
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ')
    return [first, ...others].map((word) => [stemOf(word), stemOf(first)] as const)
  }),
)

const units = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

const numberWords: ReadonlyMap<string, string> = new Map([
  ...units.map((word, value) => [word, String(value)] as const),
  ...tens.flatMap((ten, place) =>
    units.slice(0, 10).map((unit, value) => {
      const number = String(place * 10 + 20 + value)
      return [value === 0 ? ten : `${ten}-${unit}`, number] as const
    }),
  ),
])

/** The word that a token adds to a statement; null where it says nothing. */
export function wordOf(token: Token): string | null {
  if (token.sign || token.digit) return freshWordOf(token)
  const known = remembered.get(token.low)
  if (known !== undefined) return known
  const word = freshWordOf(token)
  if (remembered.size >= maxRemembered) remembered.clear()
  if (token.low.length <= longestRemembered) remembered.set(token.low, word)
  return word
}

/** By the word in lower case, which all the rest of a word without digits follows from. */
const remembered = new Map<string, string | null>()
const maxRemembered = 10_000
const longestRemembered = 24

function freshWordOf(token: Token): string | null {
  const digits = numberWords.get(token.low)
  if (digits !== undefined) return digits
  if (token.digit) return token.low.replace(/^(\d[\d.,]*)(?:m|k|bn|x|pp)$/, '$1')
  if (idle.has(token.low) || idle.has(token.word)) return null
  const stem = stemOf(token.word)
  return retold.get(stem) ?? (carries(token) ? stem : null)
}
