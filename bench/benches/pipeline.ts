/** Measures how a backlog is worked off: queued → processed beside a bare loop that commits the same rows. */
import { createDeployment } from '@concord/tools/launch'
import {
  readClock,
  readWaits,
  startKernel,
  stopKernel,
  untilIdle,
  workOff,
  workOffBare,
} from '../src/backlog.ts'
import type { Bench, BenchRun } from '../src/bench.ts'
import { ingestOverHttp, setUpIngest } from '../src/ingest-stage.ts'
import type { IngestStage } from '../src/ingest-stage.ts'
import { describeLoad, median } from '../src/summary.ts'

const BYTES = 2_048
const SENDERS = [1, 8] as const

export const pipeline: Bench = {
  name: 'pipeline',
  measures: 'documents a second from queued to processed, one dispatcher and one worker, beside a bare loop',
  async run(run) {
    const deployment = await createDeployment({
      services: run.services,
      name: `bench_pipeline_${process.pid}`,
    })
    try {
      const stage = await setUpIngest(run.services, deployment)
      const ratio = await compare(run, stage)
      await pace(run, stage)
      run.print(`ratio to bare loop, ${BYTES} bytes: ${ratio.toFixed(2)}`)
    } finally {
      await deployment.remove()
    }
  },
}

/** Turn and turn about, each on a backlog of its own with the same texts. */
async function compare({ short, print }: BenchRun, stage: IngestStage): Promise<number> {
  const ratios: number[] = []
  const calls = short ? 2_000 : 10_000
  const fill = { bytes: BYTES, inFlight: 64, warmUpSeconds: 0, seconds: 300, calls }
  for (let round = 1; round <= (short ? 1 : 3); round += 1) {
    await ingestOverHttp(stage, 'bare', fill)
    await ingestOverHttp(stage, 'measured', fill)
    const bare = await workOffBare(stage, calls)
    const ours = await workOff(stage)
    print(`backlog of ${calls}, round ${round}, bare loop, read to commit: ${describeLoad(bare)}`)
    print(`backlog of ${calls}, round ${round}, pipeline, claim to commit: ${describeLoad(ours)}`)
    ratios.push(ours.perSecond / bare.perSecond)
  }
  return median(ratios)
}

/** Senders that each wait for their 202, with no backlog before them: how long until a document is processed. */
async function pace({ short, print }: BenchRun, stage: IngestStage): Promise<void> {
  const kernel = await startKernel(stage)
  try {
    for (const inFlight of SENDERS) {
      const load = { bytes: BYTES, inFlight, warmUpSeconds: 0, seconds: short ? 2 : 5 }
      const since = await readClock(stage)
      const sent = await ingestOverHttp(stage, 'paced', load)
      await untilIdle(stage)
      const { processed, p50, p99 } = await readWaits(stage, { from: 'queued_at', since })
      const waits = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
      print(
        `${inFlight} sending, ${sent.perSecond.toFixed(0)}/s, ${processed} in all: queued to processed ${waits}`,
      )
    }
  } finally {
    await stopKernel(kernel)
  }
}
