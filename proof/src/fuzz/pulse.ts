/**
 * How fast the processes answer /livez while they are under fire. The question is asked from a thread of its own:
 * the sender's work must not be mistaken for the service's.
 */
import { Worker } from 'node:worker_threads'

export interface Beats {
  /** Milliseconds of each answer. */
  readonly times: readonly number[]
  readonly missed: number
}

export interface Pulse {
  stop(): Promise<Beats>
}

/** What the thread reports: the milliseconds of an answer, or that there was none. */
export type Beat = number | 'missed'

export function startPulse(urls: readonly string[]): Pulse {
  const times: number[] = []
  let missed = 0
  let failure: Error | undefined
  const worker = new Worker(new URL('./pulse-thread.ts', import.meta.url), { workerData: { urls } })
  worker.on('message', (beat: Beat) => {
    if (beat === 'missed') missed += 1
    else times.push(beat)
  })
  worker.on('error', (error: Error) => (failure = error))
  return {
    async stop() {
      await worker.terminate()
      if (failure) throw failure
      return { times, missed }
    },
  }
}
