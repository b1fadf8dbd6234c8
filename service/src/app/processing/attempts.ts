/**
 * Attempts as the worker makes them: claimed before they begin, settled in one fenced transaction. Many attempts share
 * each statement; a result that meets a newer version, a reset or a takeover matches no row and has no effect.
 */
import { createBatcher } from '../../platform/batcher.ts'
import { retry } from '../../platform/retry.ts'
import { startAttempts, deferAttempts, touchAttempts } from '../../store/processing/attempts.ts'
import type {
  ClaimAnswer,
  DeferredAttempt,
  SettleOutcome,
  WorkPlace,
} from '../../store/processing/attempts.ts'
import { isOutage, isUnavailable } from '../../store/failures.ts'
import type { Pool } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'
import type { Auditor } from '../audit/audit.ts'
import { createOpenedClaims } from '../comparing/comparing.ts'
import type { Trouble } from '../comparing/comparing.ts'
import { MAX_WORK } from '../comparing/prepared.ts'
import { createDenseScopes, isHeavy, settleLight } from './heavy-results.ts'
import { createHeavyQueue } from './heavy-queue.ts'
import type { Policies } from '../access/policies.ts'
import { settlePrepared } from './settling.ts'
import type { AttemptResult } from './settling.ts'

export type { AttemptResult, ClaimAnswer, DeferredAttempt, SettleOutcome, WorkPlace }

export interface AttemptsDeps {
  /** Runs as the worker role. */
  readonly pool: Pool
  /** The largest number of attempts of one document. */
  readonly maxBegun: number
  readonly policies: Policies
  readonly auditor: Auditor
  readonly trouble?: Trouble
  /** Settles results that bring much to compare, away from this thread; in this thread where it is not given. */
  readonly settleHeavy?: SettleHeavy
}

export type SettleHeavy = (results: readonly AttemptResult[]) => Promise<readonly SettleOutcome[]>

export interface Attempts {
  claim(place: WorkPlace): Promise<ClaimAnswer>
  /** Holds on through a restart of the database: a result is worth waiting for. Calls `onHeavy` before the result waits in the heavy queue. */
  settle(result: AttemptResult, onHeavy?: () => void): Promise<SettleOutcome>
  /** Puts an attempt back that could not be made; it is not counted. */
  defer(deferred: DeferredAttempt): Promise<SettleOutcome>
  /** These are still being made. */
  touch(places: readonly (WorkPlace & { readonly attempt: number })[]): Promise<void>
  drain(): Promise<void>
}

const MAX_ITEMS = 64
/** A message of a scope that somebody else holds goes back to the broker after this, and makes room in the worker. */
const MAX_BUSY_CLAIM_MS = 1_000
const MAX_BUSY_MS = 10_000

/** Somebody else has held the scope for as long as one may wait for it. */
class ScopeBusy extends Error {
  override readonly name = 'ScopeBusy'
}

/** Settling twice is harmless: the second time the fence finds nothing. */
const SETTLING = {
  forMs: 60_000,
  maxPauseMs: 2_000,
  isWorthwhile: (error: unknown) => isUnavailable(error) || error instanceof ScopeBusy,
}
/** The weight of a claim, beside its document: some hundred claims share a transaction, so that nobody holds a scope for long. */
const CLAIM_WEIGHT = 6_144
/** Claims that a transaction of the heavy queue brings at most. */
const HEAVY_CLAIMS = 1_200

export function createAttempts({ pool, maxBegun, settleHeavy, ...deps }: AttemptsDeps): Attempts {
  const means = { ...deps, opened: createOpenedClaims() }
  const dense = createDenseScopes()
  const shared = {
    keysOf: ({ tenantId, scopeId, documentId }: WorkPlace) => [`${tenantId} ${scopeId} ${documentId}`],
    // The head of a scope is held until the commit.
    placeOf: ({ tenantId, scopeId }: WorkPlace) => `${tenantId} ${scopeId}`,
    maxItems: MAX_ITEMS,
    concurrency: 3,
    // A tenant with little under way does not wait for one with much, and the processor is not busy with these alone.
    bulkThreshold: ({ priority }: WorkPlace) => (priority ? Infinity : 1),
    bulkConcurrency: 1,
    bulkIntervalMs: 25,
    retryIndividually: (error: unknown) => !isOutage(error),
    maxBusyMs: MAX_BUSY_MS,
  }
  const claims = createBatcher<WorkPlace, ClaimAnswer>({
    ...shared,
    write: (places) => startAttempts(pool, places, maxBegun),
    isBusy: ({ outcome }) => outcome === 'busy',
    maxBusyMs: MAX_BUSY_CLAIM_MS,
    sizeOf: () => 1,
    maxSize: MAX_ITEMS,
  })
  const settlements = createBatcher<AttemptResult, SettleOutcome | 'heavy'>({
    ...shared,
    write: (results) => settleLight(pool, results, { ...means, maxWork: MAX_WORK }, dense),
    isBusy: (answer) => answer === 'busy',
    sizeOf: ({ reading, content }) =>
      (reading?.sealed.length ?? 0) + CLAIM_WEIGHT * (content?.claims.length ?? 0),
    maxSize: 4 * 1024 * 1024,
  })
  const heavy = createHeavyQueue<AttemptResult, SettleOutcome>({
    write: settleHeavy ?? ((results) => settlePrepared(pool, results, means)),
    tenantOf: ({ tenantId }) => tenantId,
    scopeOf: ({ scopeId }) => scopeId,
    sizeOf: ({ content }) => content?.claims.length ?? 0,
    maxSize: HEAVY_CLAIMS,
    maxItems: MAX_ITEMS,
    retryIndividually: (error) => !isOutage(error),
  })
  const deferrals = createBatcher<DeferredAttempt, SettleOutcome>({
    ...shared,
    write: (deferred) => deferAttempts(pool, deferred),
    isBusy: (answer) => answer === 'busy',
    sizeOf: () => 1,
    maxSize: MAX_ITEMS,
  })

  async function settle(result: AttemptResult, onHeavy?: () => void): Promise<SettleOutcome> {
    const answer = isHeavy(result, dense) ? 'heavy' : await settlements.write(result)
    if (answer !== 'heavy') return requireFree(answer)
    onHeavy?.()
    return requireFree(await heavy.write(result))
  }

  return {
    claim: (place) => claims.write(place),
    defer: (deferred) => retry(async () => requireFree(await deferrals.write(deferred)), SETTLING),
    async touch(places) {
      const scopes = Map.groupBy(places, ({ tenantId, scopeId }) => `${tenantId} ${scopeId}`)
      for (const own of scopes.values())
        // oxlint-disable-next-line no-await-in-loop -- nobody is in a hurry, and each holds its scope
        await touchScope(pool, own)
    },
    settle: (result, onHeavy) => retry(() => settle(result, onHeavy), SETTLING),
    drain: async () => {
      await claims.drain()
      await settlements.drain()
      await heavy.drain()
      await deferrals.drain()
    },
  }
}

function requireFree(answer: SettleOutcome): SettleOutcome {
  if (answer === 'busy') throw new ScopeBusy('somebody else holds the scope')
  return answer
}

async function touchScope(
  pool: Pool,
  places: readonly (WorkPlace & { readonly attempt: number })[],
): Promise<void> {
  const [first] = places
  if (!first) return
  await inTenant(pool, first.tenantId, (transaction) => touchAttempts(transaction, first.scopeId, places))
}
