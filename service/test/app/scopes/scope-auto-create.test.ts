/** A scope that is made by sending to it, where the operator wants that. */
import { describe, expect, it } from 'vitest'
import { createIngest } from '../../../src/app/documents/ingest.ts'
import type { Ingest } from '../../../src/app/documents/ingest.ts'
import { ensureScope } from '../../../src/app/scopes/scopes.ts'
import { createPolicyEngine } from '../../../src/policy/engine.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { auditor, makeTenant, masterKeys } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database, 4)
const archive = useArchive(database, pools)

const request = (documentId: string, scopeId = 'new-case') => ({
  scopeId,
  documentId,
  name: 'Report',
  type: 'txt',
  text: 'Words.',
  characters: 6,
  source: null,
  idempotencyKey: null,
})

function makingScopes(): Ingest {
  const { deps } = archive()
  const scopes = { pools: pools(), masterKeys, auditor, policyEngine: createPolicyEngine() }
  return createIngest({
    ...deps,
    pool: pools().tenant,
    ensureScope: async (who, scopeId) => ensureScope(scopes, who, scopeId),
  })
}

const storyOf = async (tenantId: string) =>
  (
    await look<{ kind: string }>(
      database(),
      `select kind from scope_log where tenant_id = $1 and scope_id = 'new-case' order by seq`,
      [tenantId],
    )
  ).map(({ kind }) => kind)

describe('a document for a scope that does not exist', () => {
  it('is refused if scopes are not created automatically', async () => {
    expect(await faultOf(archive().ingest({ scopeId: 'new-case' }))).toBe('scope_not_found')
  })

  it('creates the scope once, however many arrive at the same time on any process', async () => {
    const { caller } = archive().tenant
    const [one, other] = [makingScopes(), makingScopes()]
    const ids = Array.from({ length: 8 }, (_, at) => `d${at}`)
    const all = [
      one.ingestAll(
        caller,
        ids.map((id) => request(id)),
      ),
      other.ingestAll(caller, [request('e')]),
    ]
    const answers = (await Promise.all(all)).flat()
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 'fulfilled'))
    const story = await storyOf(caller.tenantId)
    expect(story).toEqual(['scope.created', ...Array.from({ length: 9 }, () => 'document.queued')])
    const audited = await look(
      database(),
      `select from audit_log where action = 'scope.created' and tenant_id = $1`,
      [caller.tenantId],
    )
    expect(audited).toHaveLength(2)
  })

  it('creates one for its own tenant, and none for a tenant that has it', async () => {
    const other = await makeTenant(pools())
    const ingest = makingScopes()
    await ingest.ingestDocument(archive().tenant.caller, request('a'))
    await ingest.ingestDocument(other.caller, request('a', 'default'))
    await ingest.ingestDocument(archive().tenant.caller, request('b', 'default'))
    const scopes = await look<{ tenant: string; scope: string }>(
      database(),
      'select tenant_id as tenant, scope_id as scope from scopes where tenant_id = any($1) order by scope_id',
      [[archive().tenant.tenantId, other.tenantId]],
    )
    expect(scopes).toHaveLength(3)
    expect(scopes.filter(({ tenant }) => tenant === other.tenantId)).toMatchObject([{ scope: 'default' }])
  })
})
