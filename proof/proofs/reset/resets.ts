/**
 * Resets a scope at a steady beat, without waiting for the one before: several may meet in one scope. One in which work
 * is under way is taken where there is one, for a reset that has nothing to race with shows nothing.
 */
import { requestJson } from '../../harness/http.ts'
import { repeat } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'
import { pick } from '../../harness/statistics.ts'
import type { Ask } from '../../harness/database.ts'

export interface Reset {
  readonly tenantId: string
  readonly scopeId: string
  readonly epoch: number
  readonly seq: number
  readonly removed: ResetCounts
  readonly answerMs: number
  /** The attempts that were under way in the scope just before. */
  readonly inFlight: number
}

export interface ResetCounts {
  readonly documents: number
  readonly idempotency_records: number
  readonly log_entries: number
}

export interface ResetterOptions {
  readonly ask: Ask
  readonly urls: () => readonly string[]
  readonly places: readonly Place[]
  readonly random: () => number
  readonly adminKey: string
  readonly everyMs: number
}

export type Resetter = ReturnType<typeof startResetter>

const MAX_AT_ONCE = 4
const TIMEOUT_MS = 20_000

export function startResetter(options: ResetterOptions) {
  const resets: Reset[] = []
  const refused: string[] = []
  const underWay = new Set<Promise<void>>()
  let skipped = 0

  async function reset(): Promise<void> {
    try {
      const { place, inFlight } = await choosePlace(options)
      resets.push({ ...(await resetPlace(options, place)), inFlight })
    } catch (error) {
      refused.push(String(error))
    }
  }

  function beat(): void {
    if (underWay.size >= MAX_AT_ONCE) {
      skipped += 1
      return
    }
    const resetting = reset().finally(() => underWay.delete(resetting))
    underWay.add(resetting)
  }

  const beating = repeat(beat, { pauseMs: options.everyMs })
  return {
    resets: resets as readonly Reset[],
    /** Those that were not answered as they should be, in words. */
    refused: refused as readonly string[],
    /** Beats left out because too many were under way. */
    skipped: () => skipped,
    /** Resolves when the last one is answered. */
    async stop(): Promise<void> {
      await beating.stop()
      await Promise.all(underWay)
    },
  }
}

async function choosePlace({ ask, places, random }: ResetterOptions) {
  const counts = await ask<{ name: string; count: number }>(
    `select tenant_id || '/' || scope_id as name, count(*)::int as count from work where state = 'processing' group by 1`,
  )
  const inFlight = new Map(counts.map(({ name, count }) => [name, count]))
  const all = places.map((place) => ({
    place,
    inFlight: inFlight.get(`${place.tenantId}/${place.scopeId}`) ?? 0,
  }))
  const busy = all.filter((each) => each.inFlight > 0)
  const chosen = pick(busy.length > 0 ? busy : all, random)
  if (!chosen) throw new Error('There is no scope to reset.')
  return chosen
}

async function resetPlace(
  { urls, random, adminKey }: ResetterOptions,
  { tenantId, tenantKey, scopeId }: Place,
): Promise<Omit<Reset, 'inFlight'>> {
  const sent = performance.now()
  const { epoch, seq, removed } = await requestJson<Pick<Reset, 'epoch' | 'seq' | 'removed'>>(
    pick(urls(), random) ?? '',
    {
      method: 'POST',
      path: `/admin/scopes/${scopeId}/reset`,
      bearer: adminKey,
      tenantKey,
      timeoutMs: TIMEOUT_MS,
    },
  )
  return { tenantId, scopeId, epoch, seq, removed, answerMs: performance.now() - sent }
}
