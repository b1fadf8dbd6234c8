/** Cuts the text around a quote for verification. Spans of claims count code points, as they are stored. */
import type { LocatedClaim } from '../domain/claim.ts'
import type { PairEvidence } from './verify.ts'

const around = 500

export function gatherEvidence(
  text: string,
  claim: LocatedClaim,
  { title, date }: Pick<PairEvidence, 'title' | 'date'>,
): PairEvidence {
  const [start, end] = claim.span
  const points = sliceOf(text)
  return {
    title,
    date,
    claim,
    before: points(Math.max(0, start - around), start),
    after: points(end, end + around),
  }
}

const surrogate = /[\ud800-\udbff]/

function sliceOf(text: string): (start: number, end: number) => string {
  if (!surrogate.test(text)) return (start, end) => text.slice(start, end)
  const characters = Array.from(text)
  return (start, end) => characters.slice(start, end).join('')
}
