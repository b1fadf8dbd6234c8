/**
 * The same documents give the same claims and contradictions: in any order, with any number of workers, some of which are
 * killed meanwhile, with older texts before some of them, some removed and sent again, and others removed for good. It is shown of
 * the rules and of a language model that answers the same question alike.
 */
import { loadCases } from '../../harness/cases/cases.ts'
import { withFleet } from '../../harness/fleet.ts'
import { withModelServer } from '../../harness/model-endpoint.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { compareOrders } from './orders.ts'
import { drawReports } from './reports.ts'
import { BY_ARRIVAL, SIDES_BY_ARRIVAL } from './sabotage.ts'

const FULL = { cases: 8, reports: 3, orders: 20, kills: 3, patienceMs: 120_000, contradictions: 40 }
const SHORT = { cases: 3, reports: 1, orders: 3, kills: 1, patienceMs: 60_000, contradictions: 10 }

type Run = ProofRun<typeof FULL>

export const determinism = defineProof({
  name: 'determinism',
  shows:
    'the same documents give the same claims and contradictions in any order, with any workers, killed or not',
  sabotages:
    'those who came first represent a group of claims for good, and the side that was compared first stays the first',
  sizes: { full: FULL, short: SHORT },
  mutations: [BY_ARRIVAL, SIDES_BY_ARRIVAL],
  async prove(run) {
    await compareByRules(run)
    await compareByModel(run)
  },
})

const SIZES = { api: 1, dispatcher: 1, worker: 1 }

async function compareByRules(run: Run): Promise<void> {
  const { patienceMs, contradictions: minContradictions } = run.size
  const cases = await loadCases(run.size.cases)
  await withFleet(run, { sizes: SIZES }, (fleet) =>
    compareOrders(run, { fleet, patienceMs }, { reader: 'rules', cases, minContradictions }),
  )
}

/** So little that a scope is compared as a whole only at its beginning. */
const BUDGET = { MODEL_COMPARE_TOKENS: '1000', MODEL_CONCURRENCY: '20' }

async function compareByModel(run: Run): Promise<void> {
  const { patienceMs } = run.size
  const reports = Array.from({ length: run.size.reports }, (_, nth) => drawReports(run.seed + nth))
  const cases = reports.map(({ documents }, nth) => ({ name: `reports ${nth}`, documents }))
  const minContradictions = reports.reduce((total, { conflicts }) => total + conflicts, 0)
  await withModelServer(({ env }) =>
    withFleet(run, { sizes: SIZES, env: { ...env, ...BUDGET } }, (fleet) =>
      compareOrders(run, { fleet, patienceMs }, { reader: 'model', cases, minContradictions }),
    ),
  )
}
