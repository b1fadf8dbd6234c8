/** The text under which equal values are one. */
import type { Claim, Value } from '../claim.ts'

const digitsKept = 12

function plain(value: number | null): string {
  if (value === null) return ''
  // Whole numbers of so few digits have nothing to lose.
  const short = Number.isInteger(value) && Math.abs(value) < 10 ** digitsKept
  return String(short ? value : Number(value.toPrecision(digitsKept)))
}

function keyOf(value: Value): string {
  switch (value.type) {
    case 'number':
      return `${value.unit}:${plain(value.low)}..${plain(value.high)}:${value.bound ?? ''}`
    case 'date':
      return `${value.days[0]}..${value.days[1]}`
    case 'word':
      return `${value.family}:${value.word}`
    case 'name':
      return value.words.toSorted().join(' ')
    case 'existence':
      return value.exists ? 'yes' : 'no'
  }
}

/** Claims with equal strings say the same; a statement is all of its words. */
export function valueKeyOf(claim: Claim): string {
  if (claim.value.type === 'word' && claim.value.family === 'statement')
    return [claim.value.word, ...claim.attribute.words.toSorted()].join(' ')
  return `${claim.value.type}:${keyOf(claim.value)}`
}
