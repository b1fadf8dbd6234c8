/**
 * Looks at the database while the faults happen: how much waits and is under way, and whether at every look each
 * accepted document is somewhere. A database that is away is looked at again later.
 */
import type { Ask } from './database.ts'
import type { Fleet } from './fleet.ts'
import { pause, poll, repeat } from './loop.ts'

/** Documents that are not at their end. */
export interface ObservedBacklog {
  readonly queued: number
  readonly ready: number
  readonly processing: number
  readonly total: number
}

export interface FleetWatchOptions {
  readonly ask: Ask
  /** How many documents clients have been promised so far. */
  readonly acknowledged: () => number
}

export type Watch = ReturnType<typeof startWatch>

const LOOK_MS = 250
/** The share of its time that it may spend looking: where the tables are full, it would be a load of its own. */
const SHARE = 0.05
const BALANCE_EVERY = 4

export function startWatch({ ask, acknowledged }: FleetWatchOptions) {
  const imbalances: string[] = []
  const looks = { backlogs: 0, balances: 0 }
  const tickets = new Map<string, string>()
  let latest: ObservedBacklog = { queued: 0, ready: 0, processing: 0, total: 0 }

  async function look(): Promise<void> {
    latest = await selectBacklog(ask)
    looks.backlogs += 1
    for (const { ticket, document } of await selectTickets(ask)) tickets.set(ticket, document)
    if (looks.backlogs % BALANCE_EVERY !== 0) return
    // Counted before the question is put: what was promised by then must be there.
    const promised = acknowledged()
    const [balance] = await ask<Balance>(BALANCE)
    if (!balance) return
    const { documents, unended, work } = balance
    looks.balances += 1
    if (documents < promised) imbalances.push(`${promised} acknowledged, ${documents} stored`)
    if (unended !== work) imbalances.push(`${unended} documents not at their end, ${work} in the backlog`)
  }

  const { stop } = repeat(async (signal) => {
    const since = performance.now()
    await look().catch(() => undefined)
    await pause(Math.max(LOOK_MS, (performance.now() - since) / SHARE), signal)
  })
  return {
    latest: () => latest,
    /** Looks at which a document was neither waiting, under way nor at its end, or an acknowledged one was missing. */
    imbalances,
    /** The documents that were under way, by their tickets: those of a dead worker are there for as long as its lease. */
    tickets: tickets as ReadonlyMap<string, string>,
    looks,
    stop,
  }
}

export async function selectBacklog(ask: Ask): Promise<ObservedBacklog> {
  const [row] = await ask<ObservedBacklog>(
    `select count(*) filter (where state = 'queued')::int as queued, count(*) filter (where state = 'ready')::int as ready,
            count(*) filter (where state = 'processing')::int as processing, count(*)::int as total from work`,
  )
  return row ?? { queued: 0, ready: 0, processing: 0, total: 0 }
}

async function selectTickets(ask: Ask) {
  return ask<{ readonly ticket: string; readonly document: string }>(
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
const BALANCE = `
  select count(*)::int as documents, count(*) filter (where status in ('queued', 'processing'))::int as unended,
         (select count(*) from work)::int as work from documents`

/** Waits until no document is left that is not at its end, and returns how many are when the time is over. */
export async function countLeft(ask: Ask, withinMs: number): Promise<number> {
  const { total } = await poll(() => selectBacklog(ask), {
    until: (backlog) => backlog.total === 0,
    withinMs,
    everyMs: 250,
  })
  return total
}

/** Counts the documents that wait or are being processed and whose ids begin with the prefix. */
export async function countOpen({ count }: Pick<Fleet, 'count'>, prefix: string): Promise<number> {
  return count('select count(*) from work where starts_with(document_id, $1)', [prefix])
}
