/**
 * A task in the sandbox. Its first pass is in the fast pool and takes as long as the length of the text makes
 * plausible. If that is too short, a second pass in the slow pool gets the full time. The sandbox cannot tell a slow
 * document from a runaway before it runs them, so both take this path, and fast documents never wait for slow ones.
 */
import type { ReadingOutcome, ReadingTask } from '../../domain/attempt.ts'

export interface Limits {
  /** The full time of the longest text, without the time it waits for a core; a shorter text gets its share. */
  readonly timeMs: number
  /** The time of the longest text in the fast pool; a shorter text gets its share. */
  readonly sliceMs: number
  /** The maximum memory of a child, including its own code. */
  readonly memoryMb: number
}

export interface Job<Result> {
  readonly task: ReadingTask
  readonly pool: PoolName
  settle(outcome: ReadingOutcome<Result>): void
  abandon(error: unknown): void
  /** Called when the job begins to wait for the slow pool. */
  onSlow(): void
  /** It was settled or abandoned. */
  isOver(): boolean
  /** Returns the same job for its second pass, in the slow pool. */
  secondPass(): Job<Result>
}

export type PoolName = 'fast' | 'slow'

interface NewJob<Result> {
  readonly job: Job<Result>
  readonly outcome: Promise<ReadingOutcome<Result>>
}

export function createJob<Result>(task: ReadingTask, onSlow: () => void = () => undefined): NewJob<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadingOutcome<Result>>()
  let over = false
  const finish = (): boolean => !over && (over = true)
  const at = (pool: PoolName): Job<Result> => ({
    task,
    pool,
    settle: (outcome) => finish() && resolve(outcome),
    abandon: (error) => finish() && reject(error),
    onSlow,
    isOver: () => over,
    secondPass: () => at('slow'),
  })
  // A document that failed before goes to the slow pool at once, away from other documents.
  return { job: at(task.failedBefore ? 'slow' : 'fast'), outcome: promise }
}

const MAX_TEXT = 100_000
/**
 * The minimum first pass, as a fraction of the slice. Less cannot be measured: kernels count CPU time in steps of 4 ms,
 * and a garbage collection takes as long. None of 10,000 healthy documents on a busy machine needed more.
 */
const MIN_SLICE = 1 / 125
/** A child whose code is not yet compiled may read even a short text slowly, above all on a slow machine. */
const MIN_TIME = 1 / 20

/** The full time of the task. */
export function timeOf({ text }: ReadingTask, { timeMs }: Limits): number {
  return Math.ceil(timeMs * Math.max(MIN_TIME, partOf(text)))
}

/** The budget of the next pass. */
export function budgetOf({ task, pool }: Job<unknown>, limits: Limits): number {
  const timeMs = timeOf(task, limits)
  if (pool === 'slow') return timeMs
  return Math.min(timeMs, Math.ceil(limits.sliceMs * Math.max(MIN_SLICE, partOf(task.text))))
}

function partOf(text: string): number {
  return Math.min(1, text.length / MAX_TEXT)
}

/** After this many answers the code of a child is compiled. */
const WARM_AFTER_ANSWERS = 50
const COLD_ALLOWANCE = { times: 4, maxMs: 100 }

/**
 * The time that a child gives the job: the budget, and more for a first pass in a child whose code is not yet compiled.
 */
export function allowanceOf(job: Job<unknown>, limits: Limits, answered: number): number {
  const budgetMs = budgetOf(job, limits)
  if (job.pool === 'slow' || answered >= WARM_AFTER_ANSWERS) return budgetMs
  const { times, maxMs } = COLD_ALLOWANCE
  return Math.min(timeOf(job.task, limits), budgetMs * times, budgetMs + maxMs)
}
