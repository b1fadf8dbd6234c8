/**
 * A task on its way through the sandbox. Its first look is as long as its length makes plausible, in the fast lane; the
 * second has all the time there is, in the slow lane. Nobody can tell a slow document from a runaway, so both have to
 * show it; and whoever needs little is never made to wait for those who need much.
 */
import type { ReadingOutcome, ReadingTask } from '../../domain/attempt.ts'

export interface Limits {
  /** The most the longest text may take, in time in which it could run; a shorter one gets its share. */
  readonly timeMs: number
  /** The time of the longest text in the fast lane; a shorter one gets its share of that, too. */
  readonly sliceMs: number
  /** The most a child may hold, its own code included. */
  readonly memoryMb: number
}

export interface Job<Result> {
  readonly task: ReadingTask
  readonly place: JobSlot
  settle(outcome: ReadingOutcome<Result>): void
  abandon(error: unknown): void
  /** It waits for the slow lane. */
  onSlow(): void
  /** Nobody waits for it any more. */
  isOver(): boolean
  /** The same job, for a second look. */
  again(): Job<Result>
}

export type JobSlot = 'fast' | 'slow'

interface NewJob<Result> {
  readonly job: Job<Result>
  readonly outcome: Promise<ReadingOutcome<Result>>
}

export function createJob<Result>(task: ReadingTask, onSlow: () => void = () => undefined): NewJob<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadingOutcome<Result>>()
  let over = false
  const finish = (): boolean => !over && (over = true)
  const at = (place: JobSlot): Job<Result> => ({
    task,
    place,
    settle: (outcome) => finish() && resolve(outcome),
    abandon: (error) => finish() && reject(error),
    onSlow,
    isOver: () => over,
    again: () => at('slow'),
  })
  // Whatever made it fail before, it is not to meet its neighbours again.
  return { job: at(task.failedBefore ? 'slow' : 'fast'), outcome: promise }
}

const LONGEST_TEXT = 100_000
/**
 * The shortest first look, as a part of the slice. Less could not be measured: kernels count the time on a core in steps
 * of 4 ms, and a collection of garbage takes as long. Of 10,000 healthy documents on a busy machine none needed more.
 */
const SHORTEST_SLICE = 1 / 125
/** Even a short text may meet a child whose code is not compiled, on a machine that is slow today. */
const SHORTEST_TIME = 1 / 20

/** All the time that the task may take. */
export function timeOf({ text }: ReadingTask, { timeMs }: Limits): number {
  return Math.ceil(timeMs * Math.max(SHORTEST_TIME, partOf(text)))
}

/** The budget of its next look. */
export function budgetOf({ task, place }: Job<unknown>, limits: Limits): number {
  const timeMs = timeOf(task, limits)
  if (place === 'slow') return timeMs
  return Math.min(timeMs, Math.ceil(limits.sliceMs * Math.max(SHORTEST_SLICE, partOf(task.text))))
}

function partOf(text: string): number {
  return Math.min(1, text.length / LONGEST_TEXT)
}

/** The number of answers after which a child is grown up: its code has been compiled by then. */
const YOUTH = 50
const PATIENCE_WITH_THE_YOUNG = { times: 4, maxMs: 100 }

/** The time of a child, which is more than the budget for a first look by one that has hardly done anything yet. */
export function allowanceOf(job: Job<unknown>, limits: Limits, answered: number): number {
  const budgetMs = budgetOf(job, limits)
  if (job.place === 'slow' || answered >= YOUTH) return budgetMs
  const { times, maxMs } = PATIENCE_WITH_THE_YOUNG
  return Math.min(timeOf(job.task, limits), budgetMs * times, budgetMs + maxMs)
}
