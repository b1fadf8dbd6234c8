/** The sandbox of a worker. */
import { createSandbox } from '../hatchery/sandbox.ts'
import type { KernelConfig } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { decodeTask } from '../worker/plan.ts'
import type { TaskResult } from '../worker/plan.ts'

/** `maxParked`: how many documents may wait without using capacity. */
export function createWorkerSandbox(
  { READERS: size }: Pick<KernelConfig, 'READERS'>,
  maxParked: number,
  log: Log,
) {
  return createSandbox<TaskResult>({
    entry: new URL('./reader.ts', import.meta.url),
    size,
    slowSize: 1,
    // When many processes start at the same time, each child that starts later makes the worker ready a second sooner.
    othersAfterMs: 2_000,
    // The longest text takes 150 ms, and three times as long in a new child. A letter takes 1 ms, and 6 ms in a new
    // child on a busy machine.
    limits: { timeMs: 2_000, sliceMs: 1_000, memoryMb: 512 },
    // Below the number at which parked documents begin to use capacity.
    maxWaiting: 0.9 * maxParked,
    quietMs: 2_000,
    decode: decodeTask,
    log,
  })
}
