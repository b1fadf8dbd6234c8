/**
 * Strings as the contract counts them: a character is a Unicode code point, not a UTF-16 unit, and a string
 * that cannot be stored as it was sent (U+0000, a lone surrogate) is refused rather than silently changed.
 */
import { z } from 'zod'

export interface TextBounds {
  readonly min?: number
  readonly max?: number
  /** Must be linear: it runs on whatever a stranger sends. */
  readonly pattern?: RegExp
  /** Values that are refused although they fit. */
  readonly refused?: readonly string[]
  readonly description?: string
  readonly example?: string
}

/** Why a string was refused; each is a `code` in the `errors` of a validation problem. */
export type TextFault = 'invalid_character' | 'too_short' | 'too_long' | 'pattern_mismatch'

export function text(bounds: TextBounds): z.ZodString {
  return z
    .string()
    .check((context) => {
      const fault = findTextFault(context.value, bounds)
      if (fault === undefined) return
      context.issues.push({
        code: 'custom',
        input: context.value,
        params: { code: fault },
        message: describeTextFault(fault, bounds),
      })
    })
    .meta(describeText(bounds))
}

export function findTextFault(
  value: string,
  { min = 0, max, pattern, refused }: TextBounds,
): TextFault | undefined {
  if (value.includes('\0') || !value.isWellFormed()) return 'invalid_character'
  // Code points never outnumber UTF-16 units, and units are at most twice the code points, so the exact
  // count, which walks the whole string, is needed only between those two bounds.
  if (max !== undefined && value.length > max) {
    if (value.length > 2 * max || countCodePoints(value) > max) return 'too_long'
  }
  if (value.length < 2 * min && countCodePoints(value) < min) return 'too_short'
  if ((pattern && !pattern.test(value)) || refused?.includes(value)) return 'pattern_mismatch'
  return undefined
}

const SURROGATE = /[\ud800-\udbff]/

export function countCodePoints(value: string): number {
  // Most texts have none, and the engine's own search finds that out many times faster than a loop.
  if (!SURROGATE.test(value)) return value.length
  let surrogatePairs = 0
  for (let index = 0; index < value.length; index += 1) {
    const unit = value.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) surrogatePairs += 1
  }
  return value.length - surrogatePairs
}

function describeTextFault(fault: TextFault, { min, max, pattern, refused }: TextBounds): string {
  switch (fault) {
    case 'invalid_character':
      return 'Remove U+0000 and unpaired surrogates; they cannot be stored unchanged.'
    case 'too_short':
      return `Send at least ${min} character${min === 1 ? '' : 's'}.`
    case 'too_long':
      return `Send at most ${max} characters (Unicode code points).`
    case 'pattern_mismatch':
      return pattern
        ? `Send a value that matches ${pattern.source}.`
        : `Send a value other than ${refused?.map((each) => JSON.stringify(each)).join(' or ')}.`
  }
}

/** JSON Schema counts `minLength` and `maxLength` in code points too, so the bounds carry over as they are. */
function describeText(bounds: TextBounds): Record<string, unknown> {
  return {
    ...(bounds.min !== undefined && { minLength: bounds.min }),
    ...(bounds.max !== undefined && { maxLength: bounds.max }),
    ...(bounds.pattern && { pattern: bounds.pattern.source }),
    ...(bounds.refused && { not: { enum: bounds.refused } }),
    ...(bounds.description && { description: bounds.description }),
    ...(bounds.example && { examples: [bounds.example] }),
  }
}
