/**
 * Looks at the database while the faults happen: how much waits and is under way, and whether at every look each
 * accepted document is somewhere. A database that is away is looked at again later.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'

export interface Sight {
  readonly at: number
  readonly queued: number
  readonly ready: number
  readonly processing: number
}

export interface Watch {
  latest(): Sight
  /** Looks at which a document was neither waiting, under way nor at its end, or one that was acknowledged missing. */
  readonly imbalances: readonly string[]
  /** The documents that were under way, by their tickets: what a dead worker had is there for as long as its lease. */
  readonly tickets: ReadonlyMap<string, string>
  readonly looks: { sights: number; balances: number }
  stop(): Promise<void>
}

export interface WatchOptions {
  readonly services: Services
  readonly database: string
  /** How many documents clients have been promised so far. */
  readonly acknowledged: () => number
}

const SIGHT_MS = 250
/** Of its time it may spend looking: where the tables are full, it would be a load of its own. */
const SHARE = 0.05
const BALANCE_EVERY = 4
const NOTHING: Sight = { at: 0, queued: 0, ready: 0, processing: 0 }

export function startWatch({ services, database, acknowledged }: WatchOptions): Watch {
  const imbalances: string[] = []
  const looks = { sights: 0, balances: 0 }
  const tickets = new Map<string, string>()
  let latest = NOTHING
  const stopping = new AbortController()

  async function look(): Promise<void> {
    latest = await selectSight(services, database)
    looks.sights += 1
    for (const { ticket, document } of await selectTickets(services, database)) tickets.set(ticket, document)
    if (looks.sights % BALANCE_EVERY !== 0) return
    // Counted before the question is put: what was promised by then must be there.
    const promised = acknowledged()
    const { documents, unended, work } = await selectBalance(services, database)
    looks.balances += 1
    if (documents < promised) imbalances.push(`${promised} acknowledged, ${documents} stored`)
    if (unended !== work) imbalances.push(`${unended} documents not at their end, ${work} in the backlog`)
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      const since = performance.now()
      await look().catch(() => undefined)
      await delay(Math.max(SIGHT_MS, (performance.now() - since) / SHARE))
    }
  }

  const looking = keepLooking()
  return {
    latest: () => latest,
    imbalances,
    tickets,
    looks,
    async stop() {
      stopping.abort()
      await looking
    },
  }
}

export async function selectSight(services: Services, database: string): Promise<Sight> {
  const [row] = await askDatabase<Omit<Sight, 'at'>>(
    services,
    database,
    `select count(*) filter (where state = 'queued')::int as queued, count(*) filter (where state = 'ready')::int as ready,
            count(*) filter (where state = 'processing')::int as processing from work`,
  )
  return { ...NOTHING, ...row, at: Date.now() }
}

async function selectTickets(services: Services, database: string) {
  return askDatabase<{ readonly ticket: string; readonly document: string }>(
    services,
    database,
    `select ticket::text as ticket, concat_ws('/', tenant_id, scope_id, document_id) as document from work
      where state = 'processing' and ticket is not null`,
  )
}

interface Balance {
  readonly documents: number
  readonly unended: number
  readonly work: number
}

/** In one statement, so that all three are of the same moment. */
async function selectBalance(services: Services, database: string): Promise<Balance> {
  const [row] = await askDatabase<Balance>(
    services,
    database,
    `select count(*)::int as documents, count(*) filter (where status in ('queued', 'processing'))::int as unended,
            (select count(*) from work)::int as work from documents`,
  )
  return row ?? { documents: 0, unended: 0, work: 0 }
}

/** A server that is killed meanwhile rejects the question, and nothing more. */
export async function askDatabase<Row>(
  services: Services,
  database: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return asSuperuser(
    services,
    async (client) => (await client.query(statement, [...values])).rows as Row[],
    database,
  )
}

/** Counts the documents that wait or are being processed and whose ids begin with the prefix. */
export async function countOpen(services: Services, database: string, prefix: string): Promise<number> {
  const [row] = await askDatabase<{ open: number }>(
    services,
    database,
    `select count(*)::int as open from work where starts_with(document_id, $1)`,
    [prefix],
  )
  return row?.open ?? 0
}
