/**
 * The operations on marked code. They take the code from the product instead of repeating it, so that a rename in the
 * product leaves every mutation as it is.
 */

/** Returns new text for the text that it is given. */
export type Rewriting = (text: string) => string

export type SourceChange =
  | { readonly kind: 'insert'; readonly side: 'before' | 'after'; readonly code: string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'rewrite'; readonly part: SourcePart; readonly to: Rewriting }

/**
 * `condition`: the test of an `if`, or of a `return` with a choice. `value`: the initialiser of a declaration, the right
 * side of an assignment, the value of a property, the result of a `return`, or the expression of any other statement.
 */
export type SourcePart = 'all' | 'condition' | 'value'

export function insertBefore(code: string): SourceChange {
  return { kind: 'insert', side: 'before', code }
}

/** The code follows a statement, is the next entry after a property or an element, or ends a line of SQL. */
export function insertAfter(code: string): SourceChange {
  return { kind: 'insert', side: 'after', code }
}

export const drop: SourceChange = { kind: 'drop' }

export const always: SourceChange = { kind: 'rewrite', part: 'condition', to: () => 'true' }

export const never: SourceChange = { kind: 'rewrite', part: 'condition', to: (test) => `(${test}) && false` }

export function rewriteCondition(to: Rewriting): SourceChange {
  return { kind: 'rewrite', part: 'condition', to }
}

export function rewriteValue(to: Rewriting): SourceChange {
  return { kind: 'rewrite', part: 'value', to }
}

/** This is the last resort. The rewriting uses general patterns and no names of the product. */
export function rewrite(to: Rewriting): SourceChange {
  return { kind: 'rewrite', part: 'all', to }
}
