/** The database as a part: refuses to start on a role or a schema that could let one tenant see another. */
import type { Part } from '../platform/lifecycle.ts'
import { readMigrations } from '../store/migrations.ts'
import type { Pools } from '../store/pools.ts'
import { findUnsafeSettings } from '../store/self-check.ts'

export function databasePart(pools: Pools): Part {
  return {
    name: 'database',
    async start() {
      const faults = await findUnsafeSettings(pools.tenant, await readMigrations())
      if (faults.length > 0)
        throw new Error(`It is not safe to serve:\n${faults.map((each) => `  - ${each}`).join('\n')}`)
    },
    stop: () => pools.close(),
  }
}
