/** Fires generated requests at the served contract: whatever comes in, the answer is one that the contract knows. */
import { runCampaign } from './campaign.ts'
import type { FuzzRun } from './campaign.ts'
import { startPulse } from './pulse.ts'
import type { Beats } from './pulse.ts'
import { sabotages } from './sabotage.ts'
import { startTarget } from './setup.ts'
import type { FuzzTarget } from './setup.ts'
import type { Tally } from './tally.ts'
import { send } from '../../harness/http.ts'
import { percentile } from '../../harness/statistics.ts'
import type { Figures } from '../../harness/figures.ts'
import { defineProof } from '../../harness/proof.ts'

/** The operation with the fewest requests gets at least `fewest`. */
const FULL = { requests: 26_000, fewest: 300, twists: 500 }
const SHORT = { requests: 4_300, fewest: 50, twists: 400 }

export const fuzz = defineProof({
  name: 'fuzz',
  shows: 'no request, valid, nearly valid or hostile, gets an answer that /openapi.json does not document',
  sabotages:
    'one branch of a handler throws, answers and events carry a field that no schema names, problems tell of their cause',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT },
  mutations: sabotages,
  prove,
})

async function prove(run: FuzzRun): Promise<void> {
  const target = await startTarget(run, run.size.requests)
  const pulse = await startPulse(target.apis.map(({ url }) => url))
  try {
    const started = performance.now()
    const tally = await runCampaign(target, run)
    report(run, tally, target.document.operations.length, (performance.now() - started) / 1000)
    await reportHealth(run.figures, target, await pulse.stop())
  } finally {
    await pulse.stop()
    await target.deployment.remove()
  }
}

function report(
  { figures, size, seed, print }: FuzzRun,
  tally: Tally,
  operations: number,
  seconds: number,
): void {
  const { totals } = tally
  const before = figures.missed.length
  figures.atLeast('requests', totals.sent, size.requests)
  figures.note('requests a second', totals.sent / seconds)
  reportReach(figures, tally, operations, size)
  figures.note(
    'answers by status',
    [...tally.perStatus()].map(([status, times]) => `${status}×${times}`).join(' '),
  )
  figures.exactly('answers 5xx', tally.count('5xx'), 0)
  figures.exactly('undocumented statuses', tally.count('undocumented status'), 0)
  figures.exactly('response-schema violations', tally.count('schema violation'), 0)
  figures.exactly('leaks of internals', tally.count('leak'), 0)
  figures.exactly('accepted although the document forbids it', tally.count('forbidden but accepted'), 0)
  figures.atMost('connections refused, reset or hung', totals.silent, 0)
  figures.note('clients that went away on purpose', totals.abandoned)
  figures.note(
    'bodies far over the limit whose refusal was lost to a reset',
    `${totals.lost} of ${totals.farTooLarge}`,
  )
  if (figures.missed.length === before) return
  for (const line of tally.samples()) print(line)
  print(`! repeat with --seed ${seed}`)
}

/** Enough of the output of a process to show why it ended. */
const LAST_WORDS = 3_000

/** So that the run is neither one long refusal nor a hammering on one door. */
function reportReach(figures: Figures, tally: Tally, operations: number, size: typeof FULL): void {
  const hits = [...tally.perOperation().values()]
  figures.exactly('documented operations that were asked', hits.length, operations)
  figures.atLeast('requests for the operation with the fewest', Math.min(...hits), size.fewest)
  figures.atLeast('different twists on a valid request', tally.variety(), size.twists)
  const { validSent, validSucceeded } = tally.totals
  figures.atLeast('valid requests that succeeded', (100 * validSucceeded) / validSent, 95, ' %')
}

async function reportHealth(figures: Figures, { apis }: FuzzTarget, beats: Beats): Promise<void> {
  const ended = apis.filter((api) => api.hasExited())
  figures.none(
    'processes that ended',
    ended.map((api) => api.output().slice(-LAST_WORDS)),
  )
  const ready = await Promise.all(
    apis.map(async ({ url }) =>
      send(url, { path: '/readyz' }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    ),
  )
  figures.exactly('processes not ready afterwards', ready.filter((each) => !each).length, 0)
  figures.atMost('/livez unanswered meanwhile', beats.missed, 0)
  const at = (share: number) => percentile(beats.times, share)
  figures.note(
    '/livez meanwhile, p50, p95, p99',
    [0.5, 0.95, 0.99].map((each) => at(each).toFixed(1)).join(', '),
    ' ms',
  )
  const idle = percentile(beats.reference, 0.95)
  figures.note('a server that does nothing else, p95', idle, ' ms')
  // At p95: what is rarer on a machine that others use is theirs as often as ours. Where even an idle server is slow,
  // the machine is busy, and whoever has work to do waits a few times as long.
  figures.atMost('/livez meanwhile, p95', at(0.95), Math.max(100, 5 * idle), ' ms')
}
