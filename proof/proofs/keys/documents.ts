/**
 * Documents, on their whole way: taken in by every route, dispatched, read by a worker. Afterwards nothing of their
 * content stands in clear on the disks of Postgres and NATS, or in what any of the processes told.
 */
import { asSuperuser, waitUntil } from '@concord/tools/launch'
import type { Figures } from '../../harness/figures.ts'
import { searchFiles, searchUntilFound } from '../../harness/file-search.ts'
import type { FileSearch } from '../../harness/file-search.ts'
import { countInDatabase } from './canaries.ts'
import type { DocumentTraces } from './canaries.ts'
import { sealedCanary } from './stage.ts'
import type { Stage, KeysTenant } from './stage.ts'

const BATCH = 10
const TIMEOUT_MS = 20_000
/** File systems may tell time more coarsely than the clock. */
const COARSE_MS = 2_000

export async function proveDocuments(stage: Stage, figures: Figures): Promise<DocumentTraces> {
  const since = Date.now() - COARSE_MS
  const { services, deployment, evidence } = stage
  const tenant = await stage.createTenant()
  const scopeId = await stage.createScope(tenant)
  const { api_key: bearer } = await stage.createRootKey('internals')
  const events = await stage.follow(stage.clients[0], { path: '/internals/kernel/events', bearer })
  const sent = await sendDocuments(stage, tenant, scopeId)
  const needles = [evidence.sealedMark, scopeId]
  await deployment.startKernel('dispatcher', { LOG_LEVEL: 'trace' })
  const broker = await searchUntilFound(services.nats.storeDir, since, needles, TIMEOUT_MS)
  // Only now: what was worked off may be gone from the broker's disk.
  await deployment.startKernel('worker', { LOG_LEVEL: 'trace' })
  const ended = await untilEnded(stage, tenant, scopeId, sent)
  await asSuperuser(services, (client) => client.query('checkpoint'))
  const database = await searchFiles(services.postgres.dataDir, since, needles)
  figures.atLeast('documents sent in, and read to the end', ended, sent)
  report(figures, 'NATS', broker)
  report(figures, 'NATS afterwards', await searchFiles(services.nats.storeDir, since, needles), false)
  report(figures, 'Postgres', database)
  figures.atLeast('rows that name the scope', await countInDatabase(stage, [scopeId]), sent)
  figures.exactly('rows with content in clear', await countInDatabase(stage, [evidence.sealedMark]), 0)
  return { events, scopeId }
}

function report(
  figures: Figures,
  server: string,
  { files, bytes, hits }: FileSearch,
  hasControl = true,
): void {
  const [content = 0, control = 0] = hits
  figures.note(`files of ${server} searched`, `${files} (${Math.ceil(bytes / 1_048_576)} MiB)`)
  if (hasControl) figures.atLeast(`files of ${server} with the scope id`, control, 1)
  figures.exactly(`files of ${server} with content of documents`, content, 0)
}

/** By every route that takes a document, on every process; returns how many there are. */
async function sendDocuments(stage: Stage, tenant: KeysTenant, scope_id: string): Promise<number> {
  const scope = `/admin/scopes/${scope_id}`
  const asAdmin = { bearer: stage.admin, tenantKey: tenant.key }
  const bearer = tenant.key
  for (const client of stage.clients) {
    const body = { scope_id, ...documentOf(stage) }
    await client.json({ path: '/api/ingest', bearer, tenantId: tenant.id, body })
    const documents = Array.from({ length: BATCH }, () => ({ scope_id, ...documentOf(stage) }))
    await client.json({ path: '/api/ingest/batch', bearer, body: { documents } })
    const registered = { scope_id, ...documentOf(stage), ...referenceOf(stage) }
    await client.json({ path: '/api/documents', bearer, body: registered })
    const attached = { ...documentOf(stage), ...referenceOf(stage) }
    await client.json({ path: `${scope}/documents`, ...asAdmin, body: attached })
  }
  await stage.clients[0].json({ method: 'POST', path: `${scope}/ingest`, ...asAdmin })
  return stage.clients.length * (BATCH + 3)
}

/** Short, so that nothing is stored compressed, where a search would not find it. */
function documentOf({ evidence }: Stage): Readonly<Record<string, string>> {
  return {
    name: sealedCanary('name', evidence),
    source: `https://example.org/${sealedCanary('source', evidence)}`,
    text: `Borealis, ${sealedCanary('text', evidence)}, reported revenue of EUR 12.4m. It rose by 4 %.`,
  }
}

function referenceOf({ evidence }: Stage): Readonly<Record<string, string>> {
  return { provenance: `sha256:${sealedCanary('provenance', evidence)}` }
}

/** How many of them were read in time. */
async function untilEnded(
  { clients }: Stage,
  { key: bearer }: KeysTenant,
  scopeId: string,
  sent: number,
): Promise<number> {
  const path = `/api/scopes/${scopeId}/documents?status=processed&limit=100`
  const count = async () =>
    (await clients[0].json<{ items: readonly unknown[] }>({ path, bearer })).items.length
  const limits = { what: 'the end of all documents', withinMs: TIMEOUT_MS, everyMs: 200 }
  return waitUntil(async () => ((await count()) >= sent ? sent : undefined), limits).catch(count)
}
