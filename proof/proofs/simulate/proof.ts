/**
 * The rules of leases, dispatch, attempts and epochs as pure functions in a seeded world full of faults, and beside the
 * product's own statements in real Postgres, so that what is shown of the one holds for the other.
 */
import { withMutatedRepository } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { countUnrepeatable, runCampaign, SETTLE_SECONDS } from './campaign.ts'
import { CHECK_NAMES } from './checks.ts'
import { conform } from './conformance.ts'
import type { ConformanceRun } from './conformance.ts'
import { loadLimits } from './conformance/product.ts'
import { RULES } from './rules.ts'
import { BROKEN_RULES, BROKEN_STATEMENTS } from './sabotage.ts'
import { COMPARED_ANSWERS, SITUATIONS } from './situations.ts'
import type { SimulationLimits } from './stage.ts'
import type { Violation } from './world.ts'

const FULL = { steps: 1_000_000, repeated: 10, histories: 2_000, sabotaged: 1_000_000 }
const SHORT = { steps: 400_000, repeated: 3, histories: 120, sabotaged: 400_000 }

type Run = ProofRun<typeof FULL>

export const simulate = defineProof({
  name: 'simulate',
  shows:
    'crash, delay, duplicate and reorder as they like: leases, window, attempts and epochs hold, and Postgres does as the model',
  sabotages: 'one rule of the model after the other, and one statement of the product after the other',
  sizes: { full: FULL, short: SHORT },
  async prove(run) {
    const limits = await loadLimits()
    if (run.sabotage) return sabotage(run, limits)
    reportWorlds(run, limits)
    await reportConformance(run)
  },
})

function reportWorlds(run: Run, limits: SimulationLimits): void {
  const { figures, print } = run
  const { steps, repeated } = run.size
  const started = performance.now()
  const campaign = runCampaign({ seed: run.seed, rules: RULES, limits, steps })
  if (campaign.violation) tell(print, campaign.violation)
  figures.exactly('violations', campaign.violation ? 1 : 0, 0)
  figures.atLeast('steps', campaign.steps, steps)
  figures.note('seeds', campaign.worlds)
  figures.note('virtual seconds', Math.round(campaign.virtualSeconds))
  figures.note('steps a second', Math.round((campaign.steps * 1000) / (performance.now() - started)))
  figures.atMost(
    'virtual seconds from the last fault to the last end',
    campaign.longestSettling,
    SETTLE_SECONDS,
  )
  for (const name of CHECK_NAMES)
    figures.atLeast(`put to the test: ${name}`, campaign.checked.get(name) ?? 0, 1)
  for (const name of SITUATIONS) figures.note(`met: ${name}`, campaign.met.get(name) ?? 0)
  const unmet = SITUATIONS.filter((name) => !campaign.met.has(name))
  figures.exactly('situations that never came about', unmet.length, 0)
  const seeds = Array.from({ length: repeated }, (_, index) => run.seed + index)
  figures.exactly('runs of one seed that differ', countUnrepeatable(seeds, RULES, limits), 0)
}

async function reportConformance({ services, figures, print, size, seed }: Run): Promise<void> {
  const { histories } = size
  const result = await conform({ services, rules: RULES, seed, histories })
  tellDifferences(print, result)
  figures.exactly('histories in which the model and Postgres differ', result.differences.length, 0)
  figures.atLeast('histories', result.histories, histories)
  figures.note('operations in them', result.operations)
  figures.note('histories taken again because the machine stood still', result.repeated)
  const unseen = COMPARED_ANSWERS.filter((name) => !result.answers.has(name))
  for (const [name, times] of result.answers) figures.note(`answered: ${name}`, times)
  figures.exactly('answers that were never compared', unseen.length, 0)
}

/** Red only when every one was noticed: a single one that passes is a hole, and must not hide behind the others. */
async function sabotage(run: Run, limits: SimulationLimits): Promise<void> {
  const results = [...breakRules(run, limits), ...(await breakStatements(run))]
  const unnoticed = results.filter(({ found }) => found === 0)
  for (const { name } of unnoticed) run.print(`NOT NOTICED: ${name}`)
  for (const { name, found } of results) {
    if (unnoticed.length === 0) run.figures.exactly(`violations or differences when ${name}`, found, 0)
    else run.figures.note(`violations or differences when ${name}`, found)
  }
}

interface Noticed {
  readonly name: string
  readonly found: number
}

/** A seed that found something must find the same again. */
function breakRules({ seed, size, print }: Run, limits: SimulationLimits): readonly Noticed[] {
  const steps = size.sabotaged
  return BROKEN_RULES.map(({ name, rules }) => {
    const { violation } = runCampaign({ seed, rules, limits, steps })
    if (!violation) return { name, found: 0 }
    print(`# ${name}:`)
    tell(print, violation)
    const again = runCampaign({ seed: violation.seed, rules, limits, steps: 1 }).violation
    const isSame = again?.step === violation.step && again.message === violation.message
    if (!isSame) print('  the seed does not repeat it')
    return { name, found: isSame ? 1 : 0 }
  })
}

async function breakStatements({ services, seed, size, print }: Run): Promise<readonly Noticed[]> {
  const { histories } = size
  const noticed: Noticed[] = []
  for (const mutation of BROKEN_STATEMENTS) {
    const result = await withMutatedRepository([mutation], (repository) =>
      conform({ services, rules: RULES, seed, histories, repository, untilDifferent: true }),
    )
    print(`# ${mutation.name}:`)
    tellDifferences(print, result)
    noticed.push({ name: mutation.name, found: result.differences.length })
  }
  return noticed
}

function tell(print: ProofRun['print'], { seed, step, check, message, lastSteps }: Violation): void {
  print(`  broken: ${check}: ${message}`)
  print(`  seed ${seed}, step ${step}; --seed ${seed} repeats it. The last steps:`)
  for (const line of lastSteps) print(`    ${line}`)
}

const SHOWN = 3

function tellDifferences(print: ProofRun['print'], { differences }: ConformanceRun): void {
  for (const { seed, operation, kind, model, product } of differences.slice(0, SHOWN)) {
    print(`  seed ${seed}, operation ${operation} (${kind}):`)
    print(`    model:    ${JSON.stringify(model)}`)
    print(`    Postgres: ${JSON.stringify(product)}`)
  }
}
