/** The resources of an operator command: the database and the secrets of the API, while the command runs. */
import { userInfo } from 'node:os'
import { createScopeSeals } from '../app/scopes/scope-seals.ts'
import type { Operator, WithOperator } from '../command/operator.ts'
import { createAuditor } from '../platform/audit-key.ts'
import { createCertificateKeys } from '../platform/certificate-keys.ts'
import { parseConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { createPolicyEngine } from '../policy/engine.ts'
import { openPools } from '../store/pools.ts'
import { readEnvironment } from './environment.ts'

export const withOperator: WithOperator = async (work) => {
  const config = parseConfig(await readEnvironment())
  const pools = openPools({ url: config.DATABASE_URL, size: 2, log: createLog('silent', 'command') })
  const operator: Operator = {
    pools,
    pepper: config.KEY_PEPPER[0],
    masterKeys: config.MASTER_KEY,
    auditor: createAuditor(config.MASTER_KEY),
    certificateKeys: createCertificateKeys(config.MASTER_KEY, config.CERTIFICATE_KEY),
    seals: createScopeSeals({ pool: pools.tenant, masterKeys: config.MASTER_KEY }),
    // Not announced: every API process drops a changed key within a second by itself.
    announceKeyChange: () => undefined,
    // Not announced either: the start of an attempt reads the switches in the database, and the dispatcher and
    // followers poll. A restart from here takes work back like any other. Only the reading processes are not restarted,
    // which needs an announcement.
    announceRuntime: () => undefined,
    announceEvents: () => undefined,
    policyEngine: createPolicyEngine(),
    caller: { tier: 'internals', actor: `operator:${userInfo().username}` },
  }
  try {
    await work(operator)
  } finally {
    await pools.close()
  }
}
