/**
 * Measures an honest 202: POST /api/ingest beside the bare batched insert of the same rows and beside the queues that
 * others would use, turn and turn about.
 */
import { createDeployment } from '@concord/tools/launch'
import type { Bench, BenchRun } from '../src/bench.ts'
import { ingestOverHttp, insertBare, setUpIngest } from '../src/ingest-stage.ts'
import type { IngestStage, Load } from '../src/ingest-stage.ts'
import { setUpPeers } from '../src/peers.ts'
import type { Peer } from '../src/peers.ts'
import { describeLoad, median } from '../src/summary.ts'
import type { LoadResult } from '../src/summary.ts'

const SIZES = [2_048, 20_480] as const
const IN_FLIGHT = [64, 256] as const
const WARMING: Load = { bytes: 2_048, inFlight: 64, warmUpSeconds: 0, seconds: 5 }

interface Contestant {
  readonly name: string
  run(load: Load): Promise<LoadResult>
}

export const ingest: Bench = {
  name: 'ingest',
  measures: 'POST /api/ingest, one API process, beside the bare insert of the same rows and three job queues',
  async run(run) {
    const deployment = await createDeployment({ services: run.services, name: `bench_ingest_${process.pid}` })
    const peers: Peer[] = []
    try {
      const stage = await setUpIngest(run.services, deployment)
      peers.push(...(await setUpPeers(run.services, run.print)))
      // A server in use is warm; each client warms up by itself.
      await ingestOverHttp(stage, 'measured', WARMING)
      await compareAll(run, [...ourContestants(stage), ...peers])
    } finally {
      await deployment.remove()
      for (const peer of peers) await peer.remove()
    }
  },
}

function ourContestants(stage: IngestStage): Contestant[] {
  return [
    { name: 'POST /api/ingest', run: (load) => ingestOverHttp(stage, 'measured', load) },
    { name: 'bare insert', run: (load) => insertBare(stage, 'bare', load) },
  ]
}

async function compareAll(run: BenchRun, contestants: readonly Contestant[]): Promise<void> {
  const ratios: string[] = []
  for (const bytes of SIZES) {
    for (const inFlight of IN_FLIGHT) {
      const load = { bytes, inFlight, warmUpSeconds: run.short ? 0.5 : 1, seconds: run.short ? 1.5 : 4 }
      ratios.push(...(await compare(run, contestants, load)))
    }
  }
  run.print('goal at 2048 bytes: at least 0.5 of bare insert, 5 times graphile-worker addJob')
  for (const ratio of ratios) run.print(ratio)
}

/** The first is compared with each of the others. */
async function compare(
  { short, print }: BenchRun,
  contestants: readonly Contestant[],
  load: Load,
): Promise<string[]> {
  const rounds: LoadResult[][] = []
  const label = `${load.bytes} bytes, ${load.inFlight} in flight`
  for (let round = 1; round <= (short ? 1 : 3); round += 1) {
    const results: LoadResult[] = []
    for (const { name, run } of contestants) {
      const result = await run(load)
      print(`${label}, round ${round}, ${name}: ${describeLoad(result)}`)
      results.push(result)
    }
    rounds.push(results)
  }
  const [ours, ...others] = contestants.map(({ name }, index) => ({ name, rates: ratesOf(rounds, index) }))
  return others.map(({ name, rates }) => {
    const ratio = median(rates.map((rate, round) => (ours?.rates[round] ?? 0) / rate))
    return `ratio to ${name}, ${label}: ${ratio.toFixed(2)}`
  })
}

function ratesOf(rounds: readonly LoadResult[][], contestant: number): number[] {
  return rounds.map((results) => results[contestant]?.perSecond ?? 0)
}
