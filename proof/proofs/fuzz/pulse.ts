/**
 * How fast the processes answer /livez while they are under fire. The question is asked from a thread of its own:
 * the sender's work must not be mistaken for the service's. A server that does nothing else is asked beside them: what
 * it takes is the machine's part, and not ours.
 */
import { Worker } from 'node:worker_threads'

export type Beats = Awaited<ReturnType<Awaited<ReturnType<typeof startPulse>>['stop']>>

/** The reports of the thread: who was asked, and the milliseconds of the answer, or that there was none. */
export interface Beat {
  readonly url: string
  readonly ms: number | 'missed'
}

export async function startPulse(urls: readonly string[]) {
  /** Milliseconds of each response, of the processes and of the server that does nothing else. */
  const times: number[] = []
  const reference: number[] = []
  let missed = 0
  let failure: Error | undefined
  const idle = new Worker(new URL('./pulse-reference.ts', import.meta.url))
  const idleUrl = await new Promise<string>((resolve, reject) =>
    idle.once('message', resolve).once('error', reject),
  )
  const workerData = { urls: [...urls, idleUrl] }
  const asking = new Worker(new URL('./pulse-thread.ts', import.meta.url), { workerData })
  asking.on('message', ({ url, ms }: Beat) => {
    if (ms !== 'missed') (url === idleUrl ? reference : times).push(ms)
    else if (url !== idleUrl) missed += 1
  })
  asking.on('error', (error: Error) => (failure = error))
  return {
    async stop() {
      await asking.terminate()
      await idle.terminate()
      if (failure) throw failure
      return { times, reference, missed }
    },
  }
}
