/** Each start is counted in the store by the statement that allows it, and there are never more than allowed. */
import type { Check, CheckDeps } from './step.ts'

export function attemptCheck({ maxBegun, meet }: CheckDeps): Check {
  /** Starts since the document was queued the last time. */
  const starts = new Map<string, number>()
  return (step) => {
    if (step.kind === 'accept' && step.answer.outcome === 'accepted') starts.delete(step.what.place.key)
    if (step.kind === 'retry' && step.answer.outcome === 'queued') starts.delete(step.what.place.key)
    if (step.kind !== 'claim') return false
    const { key } = step.what.place
    const before = starts.get(key) ?? 0
    if (step.answer.outcome === 'exhausted')
      return before === maxBegun || `given up after ${before} attempts instead of ${maxBegun}`
    if (step.answer.outcome !== 'claimed') return false
    starts.set(key, before + 1)
    if (before + 1 > maxBegun) return `attempt ${before + 1} of at most ${maxBegun} began`
    if (before + 1 === maxBegun) meet('a document has its last attempt')
    if (step.answer.attempt !== before + 1) return `start ${before + 1} was told to be ${step.answer.attempt}`
    return (
      step.after.work.get(key)?.attempt === before + 1 || 'an attempt began that the store does not count'
    )
  }
}
