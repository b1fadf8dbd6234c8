/**
 * Documents, on their whole way: taken in by every route, dispatched, read by a worker. Afterwards nothing of their
 * content stands in clear on the disks of Postgres and NATS, or in what any of the processes told.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Figures } from '../../harness/figures.ts'
import { openStream } from '../../harness/http/event-stream.ts'
import type { EventStream } from '../../harness/http/event-stream.ts'
import { searchFiles, searchUntilFound } from '../../harness/file-search.ts'
import type { FileSearch } from '../../harness/file-search.ts'
import { countInDatabase } from './places.ts'
import type { DocumentTraces } from './places.ts'
import { sealedCanary } from './stage.ts'
import type { Stage, Tenant } from './stage.ts'

const BATCH = 10
const PATIENCE_MS = 20_000
/** File systems may tell time more coarsely than the clock. */
const COARSE_MS = 2_000

export async function proveDocuments(stage: Stage, figures: Figures): Promise<DocumentTraces> {
  const since = Date.now() - COARSE_MS
  const { services, deployment, evidence } = stage
  const tenant = await stage.createTenant()
  const scopeId = await stage.createScope(tenant)
  const events = await followAll(stage)
  const sent = await sendDocuments(stage, tenant, scopeId)
  const needles = [evidence.sealedMark, scopeId]
  await deployment.startKernel('dispatcher', { LOG_LEVEL: 'trace' })
  const broker = await searchUntilFound(services.nats.storeDir, since, needles, PATIENCE_MS)
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

async function followAll(stage: Stage): Promise<EventStream> {
  const { api_key } = await stage.createRootKey('internals')
  const [{ url }] = stage.callers
  const stream = await openStream(url, { path: '/internals/kernel/events', bearer: api_key })
  stage.keepStream(stream)
  return stream
}

/** By every route that takes a document, on every process; returns how many there are. */
async function sendDocuments(stage: Stage, tenant: Tenant, scope_id: string): Promise<number> {
  const { callers, admin } = stage
  const scope = `/admin/scopes/${scope_id}`
  const asAdmin = { method: 'POST', bearer: admin, tenantKey: tenant.key }
  const asTenant = { method: 'POST', bearer: tenant.key }
  for (const caller of callers) {
    const headers = { 'X-Tenant-ID': tenant.id }
    await caller.json({ ...asTenant, path: '/api/ingest', headers, body: { scope_id, ...documentOf(stage) } })
    const documents = Array.from({ length: BATCH }, () => ({ scope_id, ...documentOf(stage) }))
    await caller.json({ ...asTenant, path: '/api/ingest/batch', body: { documents } })
    const registered = { scope_id, ...documentOf(stage), ...referenceOf(stage) }
    await caller.json({ ...asTenant, path: '/api/documents', body: registered })
    await caller.json({
      ...asAdmin,
      path: `${scope}/documents`,
      body: { ...documentOf(stage), ...referenceOf(stage) },
    })
  }
  await callers[0].json({ ...asAdmin, path: `${scope}/ingest` })
  return callers.length * (BATCH + 3)
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

async function untilEnded(stage: Stage, tenant: Tenant, scopeId: string, sent: number): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const path = `/api/scopes/${scopeId}/documents?status=processed&limit=100`
    const { items } = await stage.callers[0].json<{ items: readonly unknown[] }>({ path, bearer: tenant.key })
    if (items.length >= sent || performance.now() > deadline) return items.length
    await delay(200)
  }
}
