/** Documents that are refused, at each of the places where that can happen: an error is when careless software quotes. */
import type { HttpRequest } from '../../harness/http.ts'
import { sealedCanary } from './stage.ts'
import type { Stage, Tenant } from './stage.ts'

const LONGEST = 100_000
const LIMIT_BYTES = 1_572_864

export async function provokeByDocuments(stage: Stage): Promise<void> {
  const tenant = await stage.createTenant()
  const scopeId = await stage.createScope(tenant)
  for (const caller of stage.callers) {
    for (const question of refusals(stage, tenant, scopeId)) {
      const { status, text } = await caller.send(question)
      if (status < 400) throw new Error(`${question.path} was to be refused and answered ${status}: ${text}`)
    }
    await caller.send(batchOf(stage, tenant, scopeId))
  }
}

function refusals(stage: Stage, tenant: Tenant, scope_id: string): HttpRequest[] {
  const content = () => sealedCanary('refused', stage.evidence)
  const ingest = (body: unknown, headers = {}): HttpRequest => ({
    method: 'POST',
    path: '/api/ingest',
    bearer: tenant.key,
    headers: { 'X-Tenant-ID': tenant.id, ...headers },
    body,
  })
  const document = () => ({ scope_id, name: content(), text: content() })
  const documents = `/api/scopes/${scope_id}/documents`
  return [
    // By the schema.
    ingest({ ...document(), text: `${content()} ${'a'.repeat(LONGEST)}` }),
    ingest({ ...document(), text: `${content()}\0` }),
    ingest({ ...document(), text: [content()] }),
    ingest({ ...document(), name: '', source: content() }),
    ingest({ ...document(), type: content().repeat(5) }),
    ingest({ ...document(), unknown: content() }),
    ingest({ ...document(), idempotency_key: content() }, { 'Idempotency-Key': content() }),
    // Before it was parsed, or while.
    ingest(`{"scope_id":"${scope_id}","name":"n","text":"${content()}`),
    ingest(`{"scope_id":"${scope_id}","name":"n","text":"${content()}","text":"${content()}"}`),
    ingest({ ...document(), text: `${content()} ${'a'.repeat(LIMIT_BYTES)}` }),
    ingest(document(), { 'Content-Type': 'text/plain' }),
    // At the door, with the document in hand.
    ingest(document(), { 'X-Tenant-ID': content() }),
    { ...ingest(document()), headers: {} },
    { ...ingest(document()), bearer: stage.admin },
    // Inside.
    ingest({ ...document(), scope_id: 'nowhere' }),
    { method: 'POST', path: `/api/scopes/${scope_id}/documents/${content()}/retry`, bearer: tenant.key },
    { path: `${documents}/${content()}`, bearer: tenant.key },
    { path: `${documents}?status=${content()}`, bearer: tenant.key },
    { path: `/api/scopes/${scope_id}/events`, bearer: tenant.key, headers: { 'Last-Event-ID': content() } },
    {
      method: 'POST',
      path: `/admin/scopes/${scope_id}/ingest`,
      bearer: stage.admin,
      tenantKey: tenant.key,
      body: { document_ids: [content()] },
    },
  ]
}

/** Refused and accepted ones in one body; each result tells of its own document, and no log of any. */
function batchOf(stage: Stage, tenant: Tenant, scope_id: string): HttpRequest {
  const content = () => sealedCanary('batch', stage.evidence)
  const scopes = [scope_id, 'nowhere', scope_id, 'nowhere']
  const documents = scopes.map((each) => ({ scope_id: each, name: content(), text: content() }))
  return { method: 'POST', path: '/api/ingest/batch', bearer: tenant.key, body: { documents } }
}
