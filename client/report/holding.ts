/** Which side of a contradiction holds, in words that need no other line to be understood. */
import type { Contradiction, ContradictionSide, Decision } from '../src/index.ts'
import { oneLine } from './words.ts'

export interface NamedSide {
  /** Its document, or the source that was named where it was reported. */
  readonly document: string
  readonly says: string
}

export function describeHolding(
  holds: 'a' | 'b' | 'both' | 'neither',
  sides: { readonly a: NamedSide; readonly b: NamedSide },
): string {
  if (holds === 'both') return 'both sides hold'
  if (holds === 'neither') return 'neither side holds'
  const { document, says } = sides[holds]
  return `${oneLine(document)} holds: "${oneLine(says)}"`
}

/** The side that holds, by its document and what it says. */
export function holdingIn({ a, b }: Contradiction, holds: NonNullable<Decision['holds']>): string {
  return describeHolding(holds, { a: nameSide(a), b: nameSide(b) })
}

function nameSide({ document_id: id, source, value, quote }: ContradictionSide): NamedSide {
  return { document: id ?? source, says: value?.text ?? quote }
}
