/** Decides what an answer, a broken limit or the exit of a child means for its task. Pure rules. */
import type { Failed, ReadingOutcome } from '../../domain/attempt.ts'
import type { ChildAnswer, Exit } from './child.ts'
import { codes } from './frames.ts'
import { budgetOf, timeOf } from './job.ts'
import type { Job, Limits } from './job.ts'

/** Either the outcome of the task, or a second pass. */
export type SandboxVerdict<Result> = ReadingOutcome<Result> | SecondPass

interface SecondPass {
  readonly kind: 'second pass'
}

/** The facts that the rules depend on. */
export interface VerdictDeps<Result> {
  readonly limits: Limits
  /** Decodes the result of the handler of a child. */
  decode(body: Buffer): Result
}

export function verdictOnAnswer<Result>(
  job: Job<Result>,
  answer: ChildAnswer,
  { limits, decode }: VerdictDeps<Result>,
): SandboxVerdict<Result> {
  switch (answer.code) {
    case codes.done:
      return verdictOnResult(answer, decode)
    case codes.threw:
      return failed('threw', `${answer.body.toString()} was thrown while the document was read.`)
    case codes.overran:
      return verdictOnOverrun(job, limits)
    case codes.exhausted:
      return memoryExceeded(limits)
    default:
      throw new Error(`a child answered with the unknown code ${answer.code}`)
  }
}

function verdictOnResult<Result>(
  { body, ms }: ChildAnswer,
  decode: (body: Buffer) => Result,
): ReadingOutcome<Result> {
  try {
    return { kind: 'done', result: decode(body), ms }
  } catch {
    return failed('crashed', 'The reading process gave an answer that makes no sense.')
  }
}

/** The second pass gets the full time. The attempt waits for it, and it does not block other documents. */
export function verdictOnOverrun(job: Job<unknown>, limits: Limits): Failed | SecondPass {
  const budgetMs = budgetOf(job, limits)
  if (budgetMs < timeOf(job.task, limits)) return { kind: 'second pass' }
  return failed('time_exceeded', `The document was still being read after ${budgetMs} ms.`)
}

export function memoryExceeded({ memoryMb }: Limits): Failed {
  return failed('memory_exceeded', `Reading the document took more memory than ${memoryMb} MB.`)
}

/** The verdict on the task that was in flight when a child exited by itself. */
export function verdictOnExit(exit: Exit, limits: Limits): Failed {
  if (exit.outOfHeap) return memoryExceeded(limits)
  return failed('crashed', `The reading process ended with ${describeExit(exit)}.`)
}

export function describeExit({ code, signal }: Exit): string {
  return signal ? `signal ${signal}` : `exit code ${code}`
}

function failed(reason: Failed['reason'], detail: string): Failed {
  return { kind: 'failed', reason, detail }
}
