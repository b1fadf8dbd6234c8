import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { chainAudit } from '../../../src/app/audit/audit.ts'
import { checkMasterKeyUse } from '../../../src/app/doctor/needed-secrets.ts'
import { rewrapDataKeys } from '../../../src/app/upkeep/rewrap.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { createAuditor } from '../../../src/platform/audit-key.ts'
import type { MasterKeyBytes } from '../../../src/platform/config.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { lockScopeKeysUnder } from '../../../src/store/scopes/scope-keys.ts'
import { openBureau, pairsOf, statement } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { makeScope, makeTenant, masterKeys, operator } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')
const young = { id: 'mk2', bytes: randomBytes(32) }
const both = [young, ...masterKeys]
let tenant: TestTenant

beforeEach(async () => {
  // Each test looks at all data keys of the service.
  await look(database(), 'delete from tenants', [])
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

const deps = () => ({ pools: api(), masterKeys: both, auditor: createAuditor(both) })
const rewrap = (onProgress?: Parameters<typeof rewrapDataKeys>[3]) =>
  rewrapDataKeys(deps(), operator, 'mk1', onProgress)
const sealUnder = (keys: readonly MasterKeyBytes[]) =>
  createScopeSeals({ pool: api().tenant, masterKeys: keys }).get(tenant.tenantId, 'default')
/** Chains entries as a dispatcher with these master keys does. */
const chain = (keys: readonly MasterKeyBytes[]) =>
  chainAudit({ kernel: worker().kernel, auditor: createAuditor(keys), log: silentLog })
const words = Buffer.from('the words themselves')

describe('the data keys of all scopes', () => {
  it('move to the new master key, while sealed content and hashes stay unchanged', async () => {
    const before = await sealUnder(masterKeys)
    const sealed = before.seal('text', 'report', words)
    const print = before.fingerprint(['a key'])
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    expect(await rewrap()).toMatchObject({ from: 'mk1', to: 'mk2', tenants: 2, dataKeys: 2, dataKeysLeft: 0 })
    const after = await sealUnder([young])
    expect(after.open('text', 'report', sealed)).toEqual(words)
    expect(after.fingerprint(['a key'])).toEqual(print)
  })

  it('move twice without a change of the hashes', async () => {
    const print = (await sealUnder(masterKeys)).fingerprint(['a key'])
    await rewrap()
    const third = { id: 'mk3', bytes: randomBytes(32) }
    const moved = { ...deps(), masterKeys: [third, young] }
    expect(await rewrapDataKeys(moved, operator, 'mk2')).toMatchObject({ to: 'mk3', dataKeys: 1 })
    expect((await sealUnder([third])).fingerprint(['a key'])).toEqual(print)
  })

  it('move while a scope is worked in: claims from before and after meet', async () => {
    await openBureau(api(), worker(), tenant).process([{ documentId: 'a', claims: [statement(10)] }])
    await rewrap()
    const bureau = openBureau(api(), worker(), tenant, undefined, undefined, [young])
    await bureau.process([{ documentId: 'b', claims: [statement(12)] }])
    expect(pairsOf(await bureau.findings())).toEqual(['a EUR 10m – b EUR 12m'])
  })

  it('continue where a run was interrupted', async () => {
    const scopes = Array.from({ length: 205 }, (_, at) => `scope-${at}`)
    for (const scopeId of scopes) await makeScope(api(), tenant, scopeId)
    const told: number[] = []
    const interrupted = rewrap(({ dataKeys }) => {
      told.push(dataKeys)
      throw new Error('the terminal was closed')
    })
    await expect(interrupted).rejects.toThrow('the terminal was closed')
    expect(told).toEqual([200])
    expect(await rewrap()).toMatchObject({ dataKeys: 6, dataKeysLeft: 0 })
  })

  it('that a process makes with the old key meanwhile are counted as left', async () => {
    expect(await rewrap()).toMatchObject({ dataKeysLeft: 0 })
    await makeScope(api(), tenant, 'late')
    const keys = await inTenant(api().tenant, tenant.tenantId, (own) => lockScopeKeysUnder(own, 'mk1', 10))
    expect(keys.map(({ scopeId }) => scopeId)).toEqual(['late'])
    expect(await rewrap()).toMatchObject({ dataKeys: 1, dataKeysLeft: 0 })
  })
})

describe('a run', () => {
  it('is refused if the old key is not configured, or is still the first', async () => {
    await expect(rewrapDataKeys(deps(), operator, 'mk9')).rejects.toThrow('mk9 is not in MASTER_KEY')
    const order = { ...deps(), masterKeys: [...masterKeys, young] }
    await expect(rewrapDataKeys(order, operator, 'mk1')).rejects.toThrow('mk1 is the first of MASTER_KEY')
  })

  it('is recorded, and reports the old key as needed until the audit log continues with the new one', async () => {
    await chain([...masterKeys, young])
    expect(await rewrap()).toMatchObject({ auditNeedsIt: true })
    await chain(both)
    expect(await rewrap()).toMatchObject({ auditNeedsIt: false, dataKeysLeft: 0 })
    const [entry] = await look<{ actor: string; details: unknown }>(
      database(),
      `select actor, details from audit_log where action = 'rewrap.started' limit 1`,
      [],
    )
    expect(entry).toEqual({ actor: operator.actor, details: { from: 'mk1', to: 'mk2' } })
  })
})

describe('concord doctor', () => {
  it('reports what each master key is still needed for, and what to do', async () => {
    await chain([...masterKeys, young])
    expect(await checkMasterKeyUse(api(), both)).toMatchObject({
      verdict: 'warn',
      found: 'mk2 (in use) wraps 0 data keys; mk1 wraps 1 data keys and the end of the audit log',
      advice: 'move them: concord keys rewrap --from mk1',
    })
    await rewrap()
    await chain(both)
    expect(await checkMasterKeyUse(api(), both)).toMatchObject({
      verdict: 'warn',
      found: 'mk2 (in use) wraps 1 data keys; mk1 is needed no more',
      advice: expect.stringContaining('take mk1 out of MASTER_KEY'),
    })
    expect(await checkMasterKeyUse(api(), [young])).toMatchObject({ verdict: 'ok' })
  })
})
