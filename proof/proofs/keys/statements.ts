/** Collects the texts of all statements that Postgres shows to whoever may look at its activity. */
import { setTimeout as delay } from 'node:timers/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Stage } from './stage.ts'

export interface StatementWatch {
  readonly seen: ReadonlySet<string>
  stop(): Promise<void>
}

const EVERY_MS = 100

export function watchStatements({ services, deployment }: Stage): StatementWatch {
  const seen = new Set<string>()
  const stopped = new AbortController()
  const watching = asSuperuser(services, async (client) => {
    while (!stopped.signal.aborted) {
      const { rows } = await client.query<{ query: string }>(
        'select query from pg_stat_activity where datname = $1',
        [deployment.databaseName],
      )
      for (const { query } of rows) seen.add(query)
      await delay(EVERY_MS)
    }
  })
  // Awaited in stop; until then a failure must not count as unhandled.
  watching.catch(() => undefined)
  return {
    seen,
    async stop() {
      stopped.abort()
      await watching
    },
  }
}
