/** The same through the whole service: texts go in by HTTP, claims come out by HTTP, and must stand where they say. */
import { waitUntil } from '@concord/tools/launch'
import { listClaims } from '../../harness/claims/pages.ts'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { countOpen } from '../../harness/watch.ts'
import { post } from '../../harness/post.ts'
import { isAtItsPlace } from './judge.ts'

export interface Served {
  readonly claims: number
  /** Texts with at least one claim. */
  readonly telling: number
  readonly misplaced: readonly string[]
  /** What a text with a NUL was answered with, and the same without it. */
  readonly withNul: number
  readonly withoutNul: number
}

const SIZES = { api: 1, dispatcher: 1, worker: 1 }

export async function readThroughService(
  run: ProofRun,
  texts: readonly string[],
  patienceMs: number,
): Promise<Served> {
  return withFleet(run, { sizes: SIZES }, (fleet) => serve(run, fleet, texts, patienceMs))
}

async function serve(
  { services }: ProofRun,
  fleet: Fleet,
  texts: readonly string[],
  patienceMs: number,
): Promise<Served> {
  const url = fleet.urls()[0] ?? ''
  const [place] = await createPlaces(fleet, { tenants: 1, scopes: 1 })
  if (!place) throw new Error('There is no scope to send to.')
  const letters = texts.map((text, number) => ({ id: `text-${number}`, text }))
  await post(url, [place], letters)
  await waitUntil(async () => (await countOpen(services, fleet.deployment.databaseName, '')) === 0, {
    what: 'reading the sample',
    withinMs: patienceMs,
    everyMs: 200,
  })
  const claims = await listClaims(url, place)
  const characters = new Map(letters.map(({ id, text }) => [id, Array.from(text)]))
  const misplaced = claims.filter((claim) => !isAtItsPlace(characters.get(claim.document_id) ?? [], claim))
  return {
    claims: claims.length,
    telling: new Set(claims.map(({ document_id: id }) => id)).size,
    misplaced: misplaced.map((claim) => JSON.stringify(claim)),
    withNul: await statusOf(url, place, 'The rent is EUR 5.\0'),
    withoutNul: await statusOf(url, place, 'The rent is EUR 5.'),
  }
}

async function statusOf(url: string, { tenantId, tenantKey, scopeId }: Place, text: string): Promise<number> {
  const answer = await fetch(`${url}/api/ingest`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenantKey}`,
      'x-tenant-id': tenantId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ scope_id: scopeId, name: 'letter', text }),
  })
  await answer.body?.cancel()
  return answer.status
}
