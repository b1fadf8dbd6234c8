/**
 * The script of the thread for heavy comparisons. The worker starts it. The thread has its own database connections and
 * keys.
 */
import { workerData } from 'node:worker_threads'
import { createOpenedClaims } from '../app/comparing/comparison.ts'
import { runComparisonJob } from '../app/comparing/comparison-jobs.ts'
import type { ComparisonJob } from '../app/comparing/comparison-jobs.ts'
import { createPolicies } from '../app/access/policies.ts'
import { createScopeSeals } from '../app/scopes/scope-seals.ts'
import { reportError, serveJobs } from '../hatchery/job-messages.ts'
import { createAuditor } from '../platform/audit-key.ts'
import { createLog } from '../platform/log.ts'
import { createPolicyEngine } from '../policy/engine.ts'
import { openPools } from '../store/pools.ts'
import type { ComparerData } from './compare-thread.ts'

/** The size of the claim cache: enough for every claim that a maximum document is compared with. */
const OPENED_CLAIMS = 16_000

const { url, masterKeys: sent, logLevel }: ComparerData = workerData
const masterKeys = sent.map(({ id, bytes }) => ({ id, bytes: Buffer.from(bytes) }))
// One connection compares, one reads the keys of scopes.
const pools = openPools({ url, size: 2, log: createLog(logLevel, 'comparer'), pipelined: true })
const deps = {
  pools,
  seals: createScopeSeals({ pool: pools.tenant, masterKeys }),
  policies: createPolicies({ pool: pools.tenant, engine: createPolicyEngine() }),
  auditor: createAuditor(masterKeys),
  onCompareError: reportError,
  opened: createOpenedClaims({ max: OPENED_CLAIMS }),
}

serveJobs((job: ComparisonJob) => runComparisonJob(deps, job), pools.close)
