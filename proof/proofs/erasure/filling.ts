/** Makes a scope and sends its documents in, by every kind of route that takes one; then waits for their end. */
import { poll } from '../../harness/loop.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import type { Site, SiteDocument } from './site.ts'
import type { ErasureStage } from './stage.ts'

const BATCH = 50
const AT_ONCE = 4

export async function fillSite({ client, tenant, admin }: ErasureStage, site: Site): Promise<void> {
  const asTenant = { method: 'POST', bearer: tenant.key }
  const asAdmin = { method: 'POST', bearer: admin, tenantKey: tenant.key }
  await client.json({ ...asAdmin, path: '/admin/scopes', body: { scope_id: site.scopeId } })
  const attached = site.documents.filter(({ provenance }) => provenance !== null)
  await inParallel(attached, AT_ONCE, (document) =>
    client.json({ ...asTenant, path: '/api/documents', body: bodyOf(site, document) }),
  )
  await client.json({ ...asAdmin, path: `/admin/scopes/${site.scopeId}/ingest` })
  const ingested = site.documents.filter(({ provenance }) => provenance === null)
  for (let start = 0; start < ingested.length; start += BATCH) {
    const documents = ingested.slice(start, start + BATCH).map((document) => bodyOf(site, document))
    const path = '/api/ingest/batch'
    const { accepted } = await client.json<{ accepted: number }>({ ...asTenant, path, body: { documents } })
    if (accepted !== documents.length)
      throw new Error(`Of ${documents.length} documents ${accepted} were accepted.`)
  }
}

function bodyOf({ scopeId }: Site, document: SiteDocument): object {
  const { id, name, source, text, provenance, idempotencyKey } = document
  return {
    scope_id: scopeId,
    document_id: id,
    name,
    source,
    text,
    ...(provenance !== null && { provenance }),
    ...(idempotencyKey !== null && { idempotency_key: idempotencyKey }),
  }
}

/** Somebody decides what was found, and reports more, in words that must be gone as well. */
export async function decideInSite(
  { client, tenant }: ErasureStage,
  { scopeId, contentMark }: Site,
): Promise<void> {
  const asTenant = { method: 'POST', bearer: tenant.key }
  const { items } = await client.json<{ items: readonly { contradiction_id: string }[] }>({
    path: `/api/scopes/${scopeId}/contradictions`,
    bearer: tenant.key,
  })
  const [found] = items
  if (!found) throw new Error('Documents that contradict each other were found to agree.')
  const path = `/api/scopes/${scopeId}/contradictions/${found.contradiction_id}/resolution`
  const reason = `reason-${contentMark}`
  await client.json({
    ...asTenant,
    path,
    body: { outcome: 'dismissed', by: `person-${contentMark}`, reason },
  })
  const [claim_a, claim_b, source_a, source_b, note] = ['a', 'b', 'c', 'd', 'e'].map(
    (word) => `${word}-${contentMark}`,
  )
  const report = { scope_id: scopeId, claim_a, claim_b, source_a, source_b, note, severity: 'low' }
  await client.json({ ...asTenant, path: '/api/contradictions', body: report })
}

/** Returns how many were read to their end when all were, or when the time was over. */
export async function untilProcessed({ count }: ErasureStage, site: Site, withinMs: number): Promise<number> {
  const statement = `select count(*) from documents where scope_id = $1 and status = 'processed'`
  const until = (processed: number) => processed >= site.documents.length
  return poll(() => count(statement, [site.scopeId]), { until, withinMs, everyMs: 200 })
}
