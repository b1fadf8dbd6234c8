/** One word or sign of a sentence: whatever a rule may ask of it, worked out when the sentence is cut. */

export interface Token {
  readonly start: number
  readonly end: number
  /** Lower case, without a possessive. */
  readonly low: string
  /** The canonical word; of a sign, the sign. */
  readonly word: string
  readonly sign: boolean
  readonly capital: boolean
  /** Two capitals or more, and no small letter. */
  readonly capitals: boolean
  readonly digit: boolean
  readonly possessive: boolean
  /** A verb by its form and its neighbours. */
  readonly verb: boolean
}

const nothing: Token = {
  start: 0,
  end: 0,
  low: '',
  word: '',
  sign: true,
  capital: false,
  capitals: false,
  digit: false,
  possessive: false,
  verb: false,
}

/** The token at a place, or an empty one beyond either end. */
export function tokenAt(tokens: readonly Token[], at: number): Token {
  return tokens[at] ?? nothing
}

/** The word at a place in lower case, empty beyond either end. */
export function lowAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.low ?? ''
}
