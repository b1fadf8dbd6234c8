/** Fires generated requests at the served contract: whatever comes in, the answer is one that the contract knows. */
import { runCampaign } from '../src/fuzz/campaign.ts'
import { createJudge } from '../src/fuzz/judge.ts'
import { startPulse } from '../src/fuzz/pulse.ts'
import type { Beats } from '../src/fuzz/pulse.ts'
import { sabotages } from '../src/fuzz/sabotage.ts'
import { startTarget } from '../src/fuzz/setup.ts'
import type { Target } from '../src/fuzz/setup.ts'
import { createTally } from '../src/fuzz/tally.ts'
import type { Tally } from '../src/fuzz/tally.ts'
import { createValidators } from '../src/fuzz/validators.ts'
import { percentile } from '../src/keys/statistics.ts'
import { withMutatedRepository } from '../src/mutation.ts'
import type { Figures } from '../src/figures.ts'
import type { Proof, ProofRun } from '../src/proof.ts'

const REQUESTS = { full: 20_000, short: 3_000 }

export const fuzz: Proof = {
  name: 'fuzz',
  shows: 'no request, valid, nearly valid or hostile, gets an answer that /openapi.json does not document',
  sabotages:
    'one branch of a handler throws, answers carry a field that no schema names, problems tell of their cause',
  async run(run) {
    if (!run.sabotage) return fire(run)
    await withMutatedRepository(sabotages, (repository) => fire(run, repository))
  },
}

async function fire(run: ProofRun, repository?: string): Promise<void> {
  const target = await startTarget(run.services, `fuzz_${process.pid}`, repository)
  const pulse = startPulse(target.apis.map(({ url }) => url))
  try {
    const started = performance.now()
    const tally = await runAgainst(target, run)
    report(run, tally, target.document.operations.length, (performance.now() - started) / 1000)
    await reportHealth(run.figures, target, await pulse.stop())
  } finally {
    await pulse.stop()
    await target.deployment.remove()
  }
}

async function runAgainst({ document, world, apis }: Target, { seed, short }: ProofRun): Promise<Tally> {
  const validators = createValidators(document)
  const tally = createTally()
  await runCampaign({
    document,
    deps: { resolve: document.resolve, validators },
    world,
    judge: createJudge(document, validators),
    tally,
    urls: apis.map(({ url }) => url),
    seed,
    requests: short ? REQUESTS.short : REQUESTS.full,
  })
  return tally
}

function report(
  { figures, short, seed, print }: ProofRun,
  tally: Tally,
  operations: number,
  seconds: number,
): void {
  const { totals } = tally
  const before = figures.missed.length
  figures.atLeast('requests', totals.sent, short ? REQUESTS.short : REQUESTS.full)
  figures.note('requests a second', totals.sent / seconds)
  reportReach(figures, tally, operations, short)
  figures.note(
    'answers by status',
    [...tally.perStatus()].map(([status, times]) => `${status}×${times}`).join(' '),
  )
  figures.exactly('answers 5xx', tally.count('5xx'), 0)
  figures.exactly('undocumented statuses', tally.count('undocumented status'), 0)
  figures.exactly('response-schema violations', tally.count('schema violation'), 0)
  figures.exactly('leaks of internals', tally.count('leak'), 0)
  figures.exactly('accepted although the document forbids it', tally.count('forbidden but accepted'), 0)
  figures.exactly('connections refused, reset or hung', totals.silent, 0)
  figures.note('clients that went away on purpose', totals.abandoned)
  if (figures.missed.length === before) return
  for (const line of tally.samples()) print(line)
  print(`! repeat with --seed ${seed}`)
}

/** So that the run is neither one long refusal nor a hammering on one door. */
function reportReach(figures: Figures, tally: Tally, operations: number, short: boolean): void {
  const hits = [...tally.perOperation().values()]
  figures.exactly('documented operations that were asked', hits.length, operations)
  figures.atLeast('requests for the operation with the fewest', Math.min(...hits), short ? 50 : 300)
  figures.atLeast('different twists on a valid request', tally.variety(), short ? 400 : 500)
  const { validSent, validSucceeded } = tally.totals
  figures.atLeast('valid requests that succeeded', (100 * validSucceeded) / validSent, 95, ' %')
}

async function reportHealth(figures: Figures, { apis }: Target, { times, missed }: Beats): Promise<void> {
  figures.exactly('processes that ended', apis.filter((api) => api.hasExited()).length, 0)
  const ready = await Promise.all(apis.map(async ({ url }) => (await fetch(`${url}/readyz`)).ok))
  figures.exactly('processes not ready afterwards', ready.filter((each) => !each).length, 0)
  figures.exactly('/livez unanswered meanwhile', missed, 0)
  figures.note('/livez meanwhile, p50', percentile(times, 0.5), ' ms')
  // Bound at p95: what is rarer on a machine that others use is theirs as often as ours.
  figures.atMost('/livez meanwhile, p95', percentile(times, 0.95), 100, ' ms')
  figures.note('/livez meanwhile, p99', percentile(times, 0.99), ' ms')
}
