/**
 * The loud tenant has a thread of its own. In the thread of the proof its large bodies would delay the clocks by which the
 * answers to the quiet tenants are measured.
 */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { loudRequestsOf, sendAll } from './loud-requests.ts'
import type { LoudKind } from './loud-requests.ts'
import type { Place } from '../../harness/places.ts'

export type Places = readonly [Place, ...Place[]]

export interface LoudLoad {
  /** Ends it, and returns the number of answers by status; those without one count as 0. */
  stop(): Promise<ReadonlyMap<number, number>>
}

interface LoudOrder {
  readonly url: string
  readonly kind: LoudKind
  readonly places: Places
}

export function startLoudThread(order: LoudOrder): LoudLoad {
  const thread = new Worker(import.meta.filename, { workerData: order })
  const answered = once(thread, 'message')
  return {
    async stop() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage('stop')
      const [answers] = (await answered) as [ReadonlyMap<number, number>]
      await thread.terminate()
      return answers
    },
  }
}

if (!isMainThread && parentPort) {
  const { url, kind, places } = workerData as LoudOrder
  const stopping = new AbortController()
  parentPort.once('message', () => stopping.abort())
  const answers = await sendAll(url, loudRequestsOf(kind, places), stopping.signal)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage(answers)
}
