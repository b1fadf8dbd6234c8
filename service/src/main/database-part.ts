/**
 * Checks the database at the start. The process refuses a role or a schema that could expose one tenant to another, and
 * a server that could lose a commit.
 */
import { isUnavailable } from '../app/failures.ts'
import { describeUndurable } from '../domain/checkup.ts'
import type { Config } from '../platform/config.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { retry } from '../platform/retry.ts'
import { readFunctions } from '../store/schema/functions.ts'
import { readMigrations } from '../store/schema/migrations.ts'
import type { Pools } from '../store/pools.ts'
import { findUnsafeSettings } from '../store/schema/self-check.ts'
import { selectServerFacts } from '../store/server-facts.ts'

/**
 * A server that was killed is back within a few seconds. If the process gave up at once, it would be restarted and load
 * everything again while the machine is busiest. If it waited for ever, a wrong address would never be reported.
 */
const RETRY = { forMs: 10_000, maxPauseMs: 200, isWorthwhile: isUnavailable }

export function databasePart(
  pools: Pools,
  { DATABASE_DURABILITY: durability }: Pick<Config, 'DATABASE_DURABILITY'>,
  log: Log,
): Part {
  const onWaiting = (error: unknown) => log.warn({ err: error }, 'the database is away; retrying')
  return {
    name: 'database',
    async start() {
      const [migrations, functions] = await Promise.all([readMigrations(), readFunctions()])
      const ask = async () => [
        ...(durability === 'required' ? describeUndurable(await selectServerFacts(pools.tenant)) : []),
        ...(await findUnsafeSettings(pools.tenant, { migrations, functions })),
      ]
      const faults = await retry(ask, { ...RETRY, onWaiting })
      if (faults.length > 0)
        throw new Error(`It is not safe to serve:\n${faults.map((each) => `  - ${each}`).join('\n')}`)
    },
    stop: () => pools.close(),
  }
}
