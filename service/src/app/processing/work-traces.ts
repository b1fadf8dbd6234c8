/**
 * Propagates a trace from the request that queued a document to the worker that reads it, through the database, where the
 * document waits too. Nothing waits for it, and an error only loses a trace.
 */
import { createBatcher } from '../../platform/batcher.ts'
import type { Log } from '../../platform/log.ts'
import type { Pool } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'
import { insertTraces, takeTraces } from '../../store/processing/work-traces.ts'
import type { NewTrace, TracedAttempt } from '../../store/processing/work-traces.ts'

export interface WorkTracesDeps {
  readonly pool: Pool
  readonly log: Log
}

export interface TraceRecorder {
  /** Records a trace. Call it after the commit that queued the document. */
  note(tenantId: string, trace: NewTrace): void
  drain(): Promise<void>
}

/** More traces than this are dropped. So many wait only while the database is slow or down. */
const MAX_WAITING = 1_000
const MAX_AT_ONCE = 128

interface Owned {
  readonly tenantId: string
}

export function createTraceRecorder({ pool, log }: WorkTracesDeps): TraceRecorder {
  let waiting = 0
  const batcher = createBatcher<NewTrace & Owned, void>({
    ...shared,
    write: (traces) =>
      eachTenant(traces, async (tenantId, own) => {
        await inTenant(pool, tenantId, (transaction) => insertTraces(transaction, own))
        return own.map(() => undefined)
      }),
  })
  return {
    note(tenantId, trace) {
      if (waiting >= MAX_WAITING) return
      waiting += 1
      void batcher
        .write({ tenantId, ...trace })
        .catch((error: unknown) => log.debug({ err: error }, 'a trace was not noted'))
        .finally(() => (waiting -= 1))
    },
    drain: batcher.drain,
  }
}

export interface TraceLookup {
  /** Returns the trace of a document, or undefined if it has none. Call it after the commit of the attempt. */
  take(attempt: TracedAttempt & Owned): Promise<string | undefined>
  drain(): Promise<void>
}

export function createTraceLookup({ pool, log }: WorkTracesDeps): TraceLookup {
  const batcher = createBatcher<TracedAttempt & Owned, string | undefined>({
    ...shared,
    write: (attempts) =>
      eachTenant(attempts, (tenantId, own) =>
        inTenant(pool, tenantId, (transaction) => takeTraces(transaction, own)),
      ),
  })
  return {
    take: (attempt) =>
      batcher.write(attempt).catch((error: unknown) => {
        log.debug({ err: error }, 'a trace was not found out')
        return undefined
      }),
    drain: batcher.drain,
  }
}

const shared = {
  orderKeysOf: () => [],
  lockKeyOf: ({ tenantId }: Owned) => tenantId,
  ownerOf: ({ tenantId }: Owned) => tenantId,
  sizeOf: () => 1,
  maxItems: MAX_AT_ONCE,
  maxSize: MAX_AT_ONCE,
  concurrency: 1,
  retryIndividually: () => false,
}

/** Runs one transaction per tenant. Returns the answers in the order of the items. */
async function eachTenant<Item extends Owned, Answer>(
  items: readonly Item[],
  work: (tenantId: string, own: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const [tenantId, entries] of Map.groupBy(items.entries(), ([, item]) => item.tenantId)) {
    // oxlint-disable-next-line no-await-in-loop -- one connection is enough for this
    const own = await work(
      tenantId,
      entries.map(([, item]) => item),
    )
    for (const [index, answer] of own.entries()) {
      const [at] = entries[index] ?? []
      if (at !== undefined) answers[at] = answer
    }
  }
  return answers
}
