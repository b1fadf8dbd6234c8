import type { Span } from '@concord/reading/src/format.ts'

/** Finds out whether a span begins within one of others, which do not overlap. */
export function createSearch(spans: readonly Span[]): (span: Span) => boolean {
  const ordered = spans.toSorted((a, b) => a[0] - b[0])
  return ([start]) => {
    let [low, high] = [0, ordered.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ordered[middle]?.[0] ?? 0) <= start) low = middle + 1
      else high = middle
    }
    const before = ordered[low - 1]
    return before !== undefined && start < before[1]
  }
}
