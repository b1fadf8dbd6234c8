/** Runs all lanes of a client for a while: first to warm up, then counted. */
import type { Client, ClientOrder, Lane } from './client.ts'
import { cpuSecondsOfAll, perThousand } from './cpu-time.ts'
import { summarise } from './summary.ts'
import type { LoadResult } from './summary.ts'

export async function measure(client: Client, order: ClientOrder): Promise<LoadResult> {
  await run(client.lanes, { seconds: order.warmUpSeconds, calls: Infinity })
  const before = readCpu(order)
  const started = performance.now()
  const { seconds, calls = Infinity } = order
  const { times, failed } = await run(client.lanes, { seconds, calls })
  const elapsedMs = performance.now() - started
  const after = readCpu(order)
  const cpuPerThousand = perThousand(before, after, times.length)
  return { ...summarise(times, failed, elapsedMs), cpuPerThousand }
}

interface Bounds {
  readonly seconds: number
  readonly calls: number
}

async function run(lanes: readonly Lane[], { seconds, calls }: Bounds) {
  const deadline = performance.now() + seconds * 1000
  const times: number[] = []
  let begun = 0
  let failed = 0
  const keepSending = async (send: Lane) => {
    while (performance.now() < deadline && begun < calls) {
      begun += 1
      const asked = performance.now()
      const committed = await send()
      const took = performance.now() - asked
      if (committed === 0) failed += 1
      for (let count = 0; count < committed; count += 1) times.push(took)
    }
  }
  await Promise.all(lanes.map(keepSending))
  return { times, failed }
}

function readCpu({ watch }: ClientOrder): Record<string, number> {
  const { user, system } = process.cpuUsage()
  return { client: (user + system) / 1e6, ...cpuSecondsOfAll(watch) }
}
