/** The readers of one attempt: the rule reader, and the model reader if a language model is configured. */
import type { ReadingTask } from '../domain/attempt.ts'
import type { Parking } from '../worker/parking.ts'
import { createModelReader, createRuleReader } from '../worker/readers.ts'
import type { AttemptRef } from '../worker/readers.ts'
import type { Progress } from '../worker/worker.ts'
import type { OpenedModel } from './model.ts'
import type { createWorkerSandbox } from './worker-sandbox.ts'

export interface AttemptReaderDeps {
  readonly sandbox: Pick<ReturnType<typeof createWorkerSandbox>, 'run'>
  readonly parking: Parking
  readonly model: OpenedModel | undefined
}

export function createReaders(
  { sandbox, parking, model }: AttemptReaderDeps,
  { park: freeCapacity, stopping: signal }: Progress,
) {
  const run = (task: ReadingTask) => sandbox.run(task, { onSlow: freeCapacity })
  const park = (attempt: AttemptRef) => {
    freeCapacity()
    return parking.park(attempt)
  }
  return {
    read: createRuleReader({ run }),
    model: model && { ...model, read: createModelReader({ ...model, run, park, signal }) },
  }
}
