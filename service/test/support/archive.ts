/** A tenant with one scope, and short words for all that can be done with documents in it. */
import { beforeEach } from 'vitest'
import {
  depositDocument,
  getDocument,
  removeDocument,
  retryDocument,
} from '../../src/app/documents/documents.ts'
import type {
  DepositRequest,
  DocumentsDeps,
  DocumentStatus,
  DecryptedDocument,
} from '../../src/app/documents/documents.ts'
import { triggerIngest } from '../../src/app/processing/ingest-trigger.ts'
import type { TriggerResult } from '../../src/app/processing/ingest-trigger.ts'
import { createIngest } from '../../src/app/documents/ingest.ts'
import type { AcceptedDocument, IngestRequest } from '../../src/app/documents/ingest.ts'
import type { PageRequest } from '../../src/app/pages.ts'
import type { Pools } from '../../src/store/pools.ts'
import type { TestDatabase } from './database.ts'
import { documentsDeps, look } from './documents.ts'
import { makeScope, makeTenant } from './people.ts'
import type { TestTenant } from './people.ts'

export interface Archive {
  readonly tenant: TestTenant
  readonly deps: DocumentsDeps
  /** The scopes that were announced. */
  readonly announced: readonly string[]
  place(documentId?: string): { readonly tenantId: string; readonly documentId: string }
  /** With text. */
  deposit(parts?: Partial<DepositRequest>, by?: DocumentsDeps): Promise<DecryptedDocument>
  /** Without text. */
  register(parts?: Partial<DepositRequest>): Promise<DecryptedDocument>
  ingest(parts?: Partial<IngestRequest>): Promise<AcceptedDocument>
  trigger(documentIds?: readonly string[], pageSize?: number): Promise<TriggerResult>
  retry(documentId?: string): ReturnType<typeof retryDocument>
  remove(documentId?: string): ReturnType<typeof removeDocument>
  /** With the newest of its versions, or another page of them. */
  get(documentId?: string, versions?: PageRequest): ReturnType<typeof getDocument>
  /** Puts a document where a worker would have brought it. */
  bringTo(status: DocumentStatus, documentId?: string): Promise<void>
}

const CARD = { name: 'Annual report', type: 'txt', source: null, provenance: null }
const TEXT = { text: 'the words', characters: 9 }

/** A new one for each test. */
export function useArchive(database: () => TestDatabase, pools: () => Pools): () => Archive {
  let archive: Archive | undefined
  beforeEach(async () => {
    const tenant = await makeTenant(pools())
    await makeScope(pools(), tenant, 'default')
    archive = createArchive(database(), pools(), tenant)
  })
  return () => {
    if (!archive) throw new Error('The archive exists only inside tests')
    return archive
  }
}

function createArchive(database: TestDatabase, pools: Pools, tenant: TestTenant): Archive {
  const announced: string[] = []
  const deps = documentsDeps(pools, (_, scopeId) => void announced.push(scopeId))
  const who = tenant.caller
  const named = { scopeId: 'default', documentId: 'report' }
  const deposit: Archive['deposit'] = (parts = {}, by = deps) =>
    depositDocument(by, who, { ...named, ...CARD, ...TEXT, ...parts })
  return {
    tenant,
    deps,
    announced,
    place: (documentId = 'report') => ({ tenantId: tenant.tenantId, documentId }),
    deposit,
    register: (parts = {}) => deposit({ text: null, characters: 0, ...parts }),
    ingest(parts = {}) {
      const { provenance: _, ...card } = CARD
      const request = { ...named, ...card, ...TEXT, idempotencyKey: null, ...parts }
      return createIngest({ pool: pools.tenant, ...deps }).ingestDocument(who, request)
    },
    trigger: (documentIds, pageSize) => triggerIngest(deps, who, 'default', documentIds, pageSize),
    retry: (documentId = 'report') => retryDocument(deps, who, 'default', documentId),
    remove: (documentId = 'report') => removeDocument(deps, who, 'default', documentId),
    get: (documentId = 'report', versions) => getDocument(deps, who, 'default', documentId, versions),
    bringTo: (status, documentId = 'report') => bringTo(database, tenant, status, documentId),
  }
}

async function bringTo(
  database: TestDatabase,
  { tenantId }: TestTenant,
  status: DocumentStatus,
  documentId: string,
): Promise<void> {
  const place = [tenantId, documentId]
  const where = 'where tenant_id = $1 and document_id = $2'
  const error = status === 'failed' ? `, error_code = 'threw', error_stage = 'read', attempt = 5` : ''
  await look(database, `update documents set status = '${status}' ${error} ${where}`, place)
  await look(
    database,
    `update document_versions v set status = '${status}' from documents d
      where d.tenant_id = $1 and d.document_id = $2 and v.tenant_id = $1 and v.document_id = $2
        and v.version = d.version`,
    place,
  )
  if (status === 'processing')
    await look(database, `update work set state = 'processing', ticket = 7 ${where}`, place)
  else if (status !== 'queued') await look(database, `delete from work ${where}`, place)
}
