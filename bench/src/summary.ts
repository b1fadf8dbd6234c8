/** The result of a load. */

export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers other than the expected one, and connections that failed. */
  readonly failed: number
  /** Seconds of processor time for 1,000 documents, by process. */
  readonly cpuPerThousand?: Readonly<Record<string, number>>
}

export function summarise(times: readonly number[], failed: number, elapsedMs: number): LoadResult {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { perSecond: times.length / (elapsedMs / 1000), p50Ms: at(0.5), p99Ms: at(0.99), failed }
}

export function describeLoad({ perSecond, p50Ms, p99Ms, failed, cpuPerThousand = {} }: LoadResult): string {
  const cpu = Object.entries(cpuPerThousand).map(([name, seconds]) => `${name} ${seconds.toFixed(3)}`)
  const price = cpu.length > 0 ? `; CPU s per 1,000: ${cpu.join(', ')}` : ''
  return `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, failed ${failed}${price}`
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
