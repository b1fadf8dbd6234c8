/** The thread behind pulse.ts: asks every process for /livez every 50 ms, over a connection of its own. */
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Beat } from './pulse.ts'

const EVERY_MS = 50
const TIMEOUT_MS = 5_000

const { urls } = workerData as { readonly urls: readonly string[] }

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const report = (beat: Beat) => parentPort?.postMessage(beat)

function ask(url: string, agent: Agent): void {
  const asked = performance.now()
  const request = get(`${url}/livez`, { agent, timeout: TIMEOUT_MS }, (answer) => {
    answer
      .resume()
      .once('end', () =>
        report({ url, ms: answer.statusCode === 200 ? performance.now() - asked : 'missed' }),
      )
  })
  request.once('timeout', () => request.destroy(new Error('too slow')))
  request.once('error', () => report({ url, ms: 'missed' }))
}

for (const url of urls) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  // The next question does not wait for the last answer, so a block of a second counts as the many it held up.
  setInterval(() => ask(url, agent), EVERY_MS)
}
