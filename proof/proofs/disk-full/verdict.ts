/** Judges the answers of clients, workers and health while a volume was full and after it was freed. Pure, so that it can be shown to notice. */
import type { RecordedCall } from '../../harness/history.ts'

/** Moments in milliseconds since the epoch. */
export interface Shortage {
  readonly fullAt: number
  /** From here on there may be room, and from `freedAt` on there is. */
  readonly freeingAt: number
  readonly freedAt: number
  /** Until here it was looked at. */
  readonly endAt: number
}

/** The answer of kernel health at one moment. */
export interface HealthLook {
  readonly at: number
  readonly ms: number
  /** `none` when there was no answer. */
  readonly status: 'ok' | 'degraded' | 'unavailable' | 'none'
  readonly details: readonly string[]
}

const ACCEPTED = new Set(['200', '202'])
const REFUSED = '503'

export function judgeAnswers(
  calls: readonly Pick<RecordedCall, 'tries'>[],
  { fullAt, freeingAt, freedAt, endAt }: Shortage,
  patienceMs: number,
) {
  const tries = calls
    .flatMap((call) => call.tries)
    .map((each) => ({ ...each, ms: each.ms ?? 0 }))
    .filter(({ at, ms }) => at + ms >= fullAt && at <= endAt)
  const during = tries.filter(({ at }) => at < freeingAt)
  const again = tries.filter(({ at, what }) => at >= freedAt && ACCEPTED.has(what))
  return {
    during: during.length,
    refused: during.filter(({ what }) => what === REFUSED).length,
    /** Neither accepted nor the one refusal that is documented for it, in words. */
    undocumented: tries
      .filter(({ what }) => what !== REFUSED && !ACCEPTED.has(what))
      .map(({ at, ms, what }) => `${what} after ${ms} ms, ${at - fullAt} ms into it`),
    longestMs: tries.reduce((longest, { ms }) => Math.max(longest, ms), 0),
    /** From the moment of freeing to the first acceptance of a request that began afterwards. */
    againMs: again.reduce((first, { at, ms }) => Math.min(first, at + ms - freedAt), Infinity),
    /** Refused although there had been room for longer than the timeout. */
    refusedLate: tries.filter(({ at, what }) => at > freedAt + patienceMs && what === REFUSED).length,
  }
}

/** `ends` are the moments at which documents were completed. */
export function judgeFlow(ends: readonly number[], { fullAt, freeingAt, freedAt, endAt }: Shortage) {
  const within = ends.filter((at) => at >= fullAt && at <= endAt).toSorted((a, b) => a - b)
  const marks = [fullAt, ...within, endAt]
  const gaps = marks.slice(1).map((at, index) => at - (marks[index] ?? at))
  return {
    during: within.filter((at) => at < freeingAt).length,
    /** The longest that nothing was completed, from the filling to the end. */
    longestGapMs: Math.max(...gaps),
    /** From the moment of freeing to the first completion after it. */
    againMs: (within.find((at) => at >= freedAt) ?? Infinity) - freedAt,
  }
}

export function judgeHealth(
  looks: readonly HealthLook[],
  { fullAt, freeingAt, freedAt, endAt }: Shortage,
  { graceMs, words }: { readonly graceMs: number; readonly words: RegExp },
) {
  const during = looks.filter(({ at, ms }) => at >= fullAt + graceMs && at + ms < freeingAt)
  const after = looks.filter(({ at }) => at >= freedAt && at <= endAt)
  const lastBad = after.findLastIndex(({ status }) => status !== 'ok')
  const well = after[lastBad + 1]
  return {
    /** Looks in the time in which it had to be known. */
    looks: during.length,
    green: during.filter(({ status }) => status === 'ok').length,
    /** Looks that named what is wrong. */
    named: during.filter(({ details }) => details.some((detail) => words.test(detail))).length,
    /** From the moment of freeing until health stayed green. */
    wellMs: well ? well.at - freedAt : Infinity,
  }
}
