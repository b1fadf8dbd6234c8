/** Load on a loopback address: a fixed number of requests in flight for a fixed time, then it ends by itself. */
import { Agent, request } from 'node:http'
import { summarise } from './summary.ts'
import type { LoadResult } from './summary.ts'

export interface BenchLoadOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly inFlight: number
  readonly seconds: number
}

export async function load({ url, headers, inFlight, seconds }: BenchLoadOptions): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const started = performance.now()
  const deadline = started + seconds * 1000
  const times: number[] = []
  let failed = 0
  const keepAsking = async () => {
    while (performance.now() < deadline) {
      const asked = performance.now()
      const good = await ask(agent, url, headers)
      if (good) times.push(performance.now() - asked)
      else failed += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, keepAsking))
  agent.destroy()
  return summarise(times, failed, performance.now() - started)
}

function ask(agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode === 200))
    })
    asked.once('error', () => resolve(false))
    asked.end()
  })
}
