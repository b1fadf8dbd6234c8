/** The child processes of a worker that read. */
import { createSandbox } from '../hatchery/sandbox.ts'
import type { KernelConfig } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { decodeTask } from '../worker/plan.ts'
import type { TaskResult } from '../worker/plan.ts'

/** `maxParked`: how many documents may wait without taking room from others. */
export function createWorkerSandbox(
  { READERS: size }: Pick<KernelConfig, 'READERS'>,
  maxParked: number,
  log: Log,
) {
  return createSandbox<TaskResult>({
    entry: new URL('./reader.ts', import.meta.url),
    size,
    slowSize: 1,
    // On a machine where many processes start at once, each child less at the start is a second sooner.
    othersAfterMs: 2_000,
    // The longest text takes 150 ms, and three times as long when the child is new. A letter takes 1 ms, and on a busy
    // machine with a new child 6.
    limits: { timeMs: 2_000, sliceMs: 1_000, memoryMb: 512 },
    // Before they take room from others.
    maxWaiting: 0.9 * maxParked,
    quietMs: 2_000,
    decode: decodeTask,
    log,
  })
}
