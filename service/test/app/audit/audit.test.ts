import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { chainAudit, documentFingerprint, recordAudit } from '../../../src/app/audit/audit.ts'
import { deleteTenant, resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { issueTenantKey, revokeTenantKey, rotateTenantKey } from '../../../src/app/identity/keys.ts'
import { createRootKey, revokeRootKey, rotateRootKey } from '../../../src/app/identity/root-keys.ts'
import { moveRuntime } from '../../../src/app/processing/runtime.ts'
import { CHAIN_START, isGenuine, linkText } from '../../../src/domain/audit.ts'
import type { ChainPosition } from '../../../src/domain/audit.ts'
import { selectAuditHead, selectChained } from '../../../src/store/audit/audit.ts'
import { inService, inTenant } from '../../../src/store/transaction.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { silentLog } from '../../support/log.ts'
import { administrator, auditor, masterKeys, operator, pepper } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database, 10)
const archive = useArchive(database, pools)
const deps = () => ({
  pools: pools(),
  pepper,
  masterKeys,
  auditor,
  announceKeyChange: () => undefined,
  announceRuntime: () => undefined,
  announceEvents: () => undefined,
})
const chain = () => chainAudit({ kernel: pools().kernel, auditor, log: silentLog })

interface Recorded {
  readonly action: string
  readonly actor: string
  readonly tenant_id: string | null
  readonly scope_id: string | null
  readonly subject: string | null
  readonly details: Record<string, unknown>
}

/** The entries that were recorded since, in the order of the clock. */
const recorded = () =>
  look<Recorded>(
    database(),
    'select action, actor, tenant_id, scope_id, subject, details from audit_log where seq is null order by at, ctid',
  )

beforeEach(async () => {
  await chain()
})

describe('an action on keys', () => {
  it('is recorded with who did it, of a tenant and of none', async () => {
    const { tenantId } = archive().tenant
    const what = { name: 'Ada Lund', expiresAt: null }
    const overlap = { overlapSeconds: 60, expiresAt: null }
    const issued = await issueTenantKey(deps(), administrator, tenantId, what)
    const rotated = await rotateTenantKey(
      deps(),
      administrator,
      { tenantId, keyId: issued.key.keyId },
      overlap,
    )
    await revokeTenantKey(deps(), administrator, tenantId, issued.key.keyId)
    const root = await createRootKey(deps(), operator, 'admin', what)
    const second = await rotateRootKey(deps(), operator, root.key.keyId, overlap)
    await revokeRootKey(deps(), operator, root.key.keyId)
    const entries = await recorded()
    expect(
      entries.map(({ action, actor, tenant_id, subject }) => [action, actor, tenant_id, subject]),
    ).toEqual([
      ['key.issued', administrator.actor, tenantId, issued.key.keyId],
      ['key.rotated', administrator.actor, tenantId, issued.key.keyId],
      ['key.revoked', administrator.actor, tenantId, issued.key.keyId],
      ['key.issued', operator.actor, null, root.key.keyId],
      ['key.rotated', operator.actor, null, root.key.keyId],
      ['key.revoked', operator.actor, null, root.key.keyId],
    ])
    expect(entries[1]?.details).toMatchObject({ tier: 'tenant', key_id: rotated.key.keyId })
    expect(entries[4]?.details).toMatchObject({ tier: 'admin', key_id: second.key.keyId })
    expect(JSON.stringify(entries)).not.toContain('Ada')
  })

  it('is not recorded when it was refused', async () => {
    const { tenantId } = archive().tenant
    expect(await faultOf(revokeTenantKey(deps(), administrator, tenantId, '0000000000'))).toBe(
      'key_not_found',
    )
    expect(await faultOf(revokeRootKey(deps(), operator, '0000000000'))).toBe('key_not_found')
    expect(await recorded()).toEqual([])
  })
})

describe('a move of a switch', () => {
  it('is recorded at every level, and also when it changes nothing', async () => {
    const { tenantId } = archive().tenant
    const scope = { level: 'scope', tenantId, scopeId: 'default' } as const
    await moveRuntime(deps(), scope, 'pause', administrator)
    await moveRuntime(deps(), scope, 'pause', administrator)
    await moveRuntime(deps(), { level: 'tenant', tenantId }, 'restart', operator)
    await moveRuntime(deps(), { level: 'service' }, 'start', operator)
    const entries = await recorded()
    expect(entries.map(({ action, tenant_id, scope_id }) => [action, tenant_id, scope_id])).toEqual([
      ['runtime.changed', tenantId, 'default'],
      ['runtime.changed', tenantId, 'default'],
      ['runtime.changed', tenantId, null],
      ['runtime.changed', null, null],
    ])
    expect(entries.map(({ details }) => details)).toMatchObject([
      { op: 'pause', level: 'scope', state: 'paused', changed: true },
      { op: 'pause', level: 'scope', state: 'paused', changed: false },
      { op: 'restart', level: 'tenant', generation: 1, changed: true },
      { op: 'start', level: 'service', state: 'running', changed: false },
    ])
  })

  it('that is refused leaves no trace', async () => {
    const { tenantId } = archive().tenant
    await moveRuntime(deps(), { level: 'tenant', tenantId }, 'stop', operator)
    await chain()
    expect(await faultOf(moveRuntime(deps(), { level: 'tenant', tenantId }, 'resume', operator))).toBe(
      'illegal_transition',
    )
    expect(await recorded()).toEqual([])
  })
})

describe('an action on documents, scopes and tenants', () => {
  it('is recorded without the id of a document, which may be any text', async () => {
    const { tenant, ingest, bringTo, retry, remove } = archive()
    const documentId = 'The letter of Ada Lund'
    await ingest({ documentId })
    await bringTo('failed', documentId)
    const { seq } = await retry(documentId)
    await remove(documentId)
    const entries = await recorded()
    const print = documentFingerprint(auditor, tenant.tenantId, 'default', documentId)
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['document.retried', print],
      ['document.removed', print],
    ])
    expect(entries[0]?.details).toEqual({ epoch: 0, version: 1, seq })
    expect(JSON.stringify(entries)).not.toContain('Ada')
  })

  it('outlives them', async () => {
    const { tenant } = archive()
    await resetScope(deps(), tenant.caller, 'default')
    await deleteTenant(deps(), operator, tenant.tenantId)
    const entries = await recorded()
    expect(entries.map(({ action, tenant_id, scope_id }) => [action, tenant_id, scope_id])).toEqual([
      ['scope.reset', tenant.tenantId, 'default'],
      ['scope.deleted', tenant.tenantId, 'default'],
      ['tenant.deleted', tenant.tenantId, null],
    ])
  })
})

describe('recording', () => {
  const event = { action: 'scope.reset', who: operator } as const

  it('is undone with the transaction it was done in', async () => {
    const failing = inService(pools().tenant, async (connection) => {
      await recordAudit(connection, auditor, [event])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await recorded()).toEqual([])
  })

  it('refuses values that are no id, no count and no kind', async () => {
    const words = recordAudit(pools().tenant, auditor, [{ ...event, details: { reason: 'He said so' } }])
    await expect(words).rejects.toThrow('never content')
    const subject = recordAudit(pools().tenant, auditor, [{ ...event, subject: 'Ada Lund' }])
    await expect(subject).rejects.toThrow('never content')
  })

  it('takes the ids of as many things as had a part in it, and of none', async () => {
    const many = Array.from({ length: 200 }, (_, nth) => `tenant/policy-${'x'.repeat(70)}${nth}`).join(',')
    await recordAudit(pools().tenant, auditor, [{ ...event, details: { policies: many, others: '' } }])
    expect((await recorded()).map(({ details }) => details)).toEqual([{ policies: many, others: '' }])
  })

  it('of a tenant happens in a transaction of that tenant and in no other', async () => {
    const { tenantId } = archive().tenant
    const foreign = inTenant(pools().tenant, tenantId, ({ connection }) =>
      recordAudit(connection, auditor, [{ ...event, tenantId: randomUUID() }]),
    )
    await expect(foreign).rejects.toMatchObject({ code: '42501' })
    await inTenant(pools().tenant, tenantId, ({ connection }) =>
      recordAudit(connection, auditor, [{ ...event, tenantId }]),
    )
    expect(await recorded()).toHaveLength(1)
  })
})

describe('the chain', () => {
  const record = (count: number) =>
    recordAudit(
      pools().tenant,
      auditor,
      Array.from({ length: count }, (_, nth) => ({
        action: 'decision.made' as const,
        who: { tier: 'policy', actor: 'policy' } as const,
        details: { nth },
      })),
    )

  it('gives every entry one place without gaps, each bound to the one before, however many dispatchers there are', async () => {
    const before = await selectAuditHead(pools().kernel)
    await record(1_203)
    await Promise.all([chain(), chain(), chain()])
    await chain()
    const entries = await selectChained(pools().kernel, before?.seq, 2_000)
    expect(entries).toHaveLength(1_203)
    let place: ChainPosition = before ?? CHAIN_START
    for (const entry of entries) {
      expect(entry.seq).toBe(place.seq + 1)
      expect(isGenuine(entry, auditor.macOf)).toBe(true)
      expect(entry.chainMac).toBe(auditor.macOf(entry.chainKey, linkText(place, entry.mac)))
      place = entry
    }
    expect(await selectAuditHead(pools().kernel)).toMatchObject({ seq: place.seq, chainMac: place.chainMac })
    expect(await chain()).toBeUndefined()
  })

  it('does not continue from a head that was changed', async () => {
    await record(1)
    await look(database(), 'alter table audit_head disable trigger kept')
    await look(database(), 'update audit_head set seq = seq - 1')
    await expect(chain()).rejects.toThrow('concord audit verify')
    await look(database(), 'update audit_head set seq = seq + 1')
    await look(database(), 'alter table audit_head enable trigger kept')
    expect(await chain()).toBeDefined()
  })
})
