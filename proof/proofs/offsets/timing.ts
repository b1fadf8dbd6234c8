/**
 * Whether time grows with the length of a text and no faster: what one character takes in a long text, by what it takes in
 * short ones that are as long together, so that both make as much garbage. Time is what the thread itself was given; the
 * least of several tries is taken, since a machine that others use makes single ones longer and none shorter.
 */
import type { Shape } from './hostile.ts'

/** In characters. */
const SHORT_TEXT = 10_000
const TRIES = 3
/** The kernel counts in steps of up to 4 ms, so what is faster than this is repeated. */
const LEAST_MS = 40
/** One that was disturbed all the while is looked at again; what is really slow is slow each time. */
const LOOKS = 3

export interface Growth {
  readonly shape: string
  /** The factor of the length at which it is largest. */
  readonly factor: number
  /** For 100,000 characters, in texts of the greatest length. */
  readonly ms: number
}

export interface GrowthOptions {
  readonly read: (text: string) => unknown
  /** Rising, in characters. */
  readonly lengths: readonly number[]
  /** Only says when to look again, and when to look no further. */
  readonly bound: number
}

export function growthOf(shape: Shape, options: GrowthOptions): Growth {
  let best = look(shape, options)
  for (let times = 1; times < LOOKS && best.factor > options.bound; times += 1) {
    const next = look(shape, options)
    if (next.factor < best.factor) best = next
  }
  return best
}

function look(shape: Shape, { read, lengths, bound }: GrowthOptions): Growth {
  let factor = 0
  let ms = 0
  for (const length of lengths) {
    const text = shape.of(length)
    const times = timesFor(read, text)
    const long = perCharacter(read, text, times)
    const short = perCharacter(read, shape.of(SHORT_TEXT), (times * length) / SHORT_TEXT)
    factor = Math.max(factor, long / short)
    ms = long * 100_000
    // A time that is far off at a quarter of the length would take for ever at the whole of it.
    if (factor > 3 * bound) break
  }
  return { shape: shape.name, factor, ms }
}

function timesFor(read: (text: string) => unknown, text: string): number {
  const started = performance.now()
  read(text)
  return Math.ceil(LEAST_MS / Math.max(1, performance.now() - started))
}

function perCharacter(read: (text: string) => unknown, text: string, times: number): number {
  let least = Infinity
  for (let turn = 0; turn < TRIES; turn += 1) {
    const started = threadMs()
    for (let time = 0; time < times; time += 1) read(text)
    least = Math.min(least, threadMs() - started)
  }
  return least / (times * text.length)
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
