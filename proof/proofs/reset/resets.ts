/**
 * Resets a scope at a steady beat, without waiting for the one before: several may meet in one scope. One in which work
 * is under way is taken where there is one, for a reset that has nothing to race with shows nothing.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Place } from '../../harness/places.ts'
import type { Ask } from '../../harness/control/questions.ts'

export interface Reset {
  readonly tenantId: string
  readonly scopeId: string
  readonly epoch: number
  readonly seq: number
  readonly removed: Removed
  readonly answerMs: number
  /** What was under way in the scope just before. */
  readonly inFlight: number
}

export interface Removed {
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

export interface Resetter {
  readonly resets: readonly Reset[]
  /** Those that were not answered as they should be, in words. */
  readonly refused: readonly string[]
  /** Beats left out because too many were under way. */
  skipped(): number
  /** Resolves when the last one is answered. */
  stop(): Promise<void>
}

const MAX_AT_ONCE = 4
const TIMEOUT_MS = 20_000

export function startResetter(options: ResetterOptions): Resetter {
  const stopping = new AbortController()
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

  async function keepBeating(): Promise<void> {
    while (!stopping.signal.aborted) {
      beat()
      await delay(options.everyMs)
    }
  }

  const beating = keepBeating()
  return {
    resets,
    refused,
    skipped: () => skipped,
    async stop() {
      stopping.abort()
      await beating
      await Promise.all(underWay)
    },
  }
}

interface Chosen {
  readonly place: Place
  readonly inFlight: number
}

async function choosePlace({ ask, places, random }: ResetterOptions): Promise<Chosen> {
  const counts = await ask<{ name: string; count: number }>(
    `select tenant_id || '/' || scope_id as name, count(*)::int as count from work where state = 'processing' group by 1`,
  )
  const inFlight = new Map(counts.map(({ name, count }) => [name, count]))
  const all = places.map((place) => ({
    place,
    inFlight: inFlight.get(`${place.tenantId}/${place.scopeId}`) ?? 0,
  }))
  const busy = all.filter((each) => each.inFlight > 0)
  const from = busy.length > 0 ? busy : all
  const chosen = from[Math.floor(random() * from.length)]
  if (!chosen) throw new Error('There is no scope to reset.')
  return chosen
}

async function resetPlace(
  { urls, random, adminKey }: ResetterOptions,
  { tenantId, tenantKey, scopeId }: Place,
): Promise<Omit<Reset, 'inFlight'>> {
  const known = urls()
  const url = known[Math.floor(random() * known.length)] ?? ''
  const sent = performance.now()
  const answer = await fetch(`${url}/admin/scopes/${scopeId}/reset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'x-tenant-api-key': tenantKey },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (answer.status !== 200)
    throw new Error(`${tenantId}/${scopeId} answered ${answer.status}: ${await answer.text()}`)
  const { epoch, seq, removed } = (await answer.json()) as Pick<Reset, 'epoch' | 'seq' | 'removed'>
  return { tenantId, scopeId, epoch, seq, removed, answerMs: performance.now() - sent }
}
