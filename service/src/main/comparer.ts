/** The thread in which heavy comparisons are made, started by the worker. It has connections and keys of its own. */
import { workerData } from 'node:worker_threads'
import { createOpenedClaims } from '../app/comparing/comparison.ts'
import { runComparisonJob } from '../app/comparing/comparison-jobs.ts'
import type { ComparisonJob } from '../app/comparing/comparison-jobs.ts'
import { createPolicies } from '../app/access/policies.ts'
import { createScopeSeals } from '../app/scopes/scope-seals.ts'
import { reportTrouble, serveJobs } from '../hatchery/job-messages.ts'
import { createAuditor } from '../platform/audit-key.ts'
import { createLog } from '../platform/log.ts'
import { createPolicyEngine } from '../policy/engine.ts'
import { openPools } from '../store/pools.ts'
import type { ComparerData } from './comparing-thread.ts'

/** The number of claims that fit: those that a document of the most claims is compared with. */
const OPENED_CLAIMS = 16_000

const { url, masterKeys: sent, logLevel }: ComparerData = workerData
const masterKeys = sent.map(({ id, bytes }) => ({ id, bytes: Buffer.from(bytes) }))
// One to compare, one for the seal of a scope.
const pools = openPools({ url, size: 2, log: createLog(logLevel, 'comparer'), pipelined: true })
const deps = {
  pools,
  seals: createScopeSeals({ pool: pools.tenant, masterKeys }),
  policies: createPolicies({ pool: pools.tenant, engine: createPolicyEngine() }),
  auditor: createAuditor(masterKeys),
  trouble: reportTrouble,
  opened: createOpenedClaims({ max: OPENED_CLAIMS }),
}

serveJobs((job: ComparisonJob) => runComparisonJob(deps, job), pools.close)
