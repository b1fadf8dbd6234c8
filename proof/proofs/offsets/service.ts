/** The same through the whole service: texts go in by HTTP, claims come out by HTTP, and must stand where they say. */
import { waitUntil } from '@concord/tools/launch'
import { listClaims } from '../../harness/claims/pages.ts'
import { withFleet } from '../../harness/fleet.ts'
import { send } from '../../harness/http.ts'
import { createPlaces } from '../../harness/places.ts'
import { post } from '../../harness/post.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { countOpen } from '../../harness/watch.ts'
import { isAtItsPlace } from './judge.ts'

const SIZES = { api: 1, dispatcher: 1, worker: 1 }

export function readThroughService(run: ProofRun, texts: readonly string[], patienceMs: number) {
  return withFleet(run, { sizes: SIZES }, async (fleet) => {
    const url = fleet.url()
    const [place] = await createPlaces(fleet, { tenants: 1, scopes: 1 })
    const { tenantId, tenantKey, scopeId } = place
    const statusOf = async (text: string) => {
      const body = { scope_id: scopeId, name: 'letter', text }
      return (await send(url, { path: '/api/ingest', bearer: tenantKey, tenantId, body })).status
    }
    const letters = texts.map((text, number) => ({ id: `text-${number}`, text }))
    await post(url, [place], letters)
    await waitUntil(async () => (await countOpen(fleet, '')) === 0, {
      what: 'reading the sample',
      withinMs: patienceMs,
      everyMs: 200,
    })
    const claims = await listClaims(url, place)
    const characters = new Map(letters.map(({ id, text }) => [id, Array.from(text)]))
    const misplaced = claims.filter((claim) => !isAtItsPlace(characters.get(claim.document_id) ?? [], claim))
    return {
      claims: claims.length,
      textsWithClaims: new Set(claims.map(({ document_id: id }) => id)).size,
      misplaced: misplaced.map((claim) => JSON.stringify(claim)),
      statusWithNul: await statusOf('The rent is EUR 5.\0'),
      statusWithoutNul: await statusOf('The rent is EUR 5.'),
    }
  })
}
