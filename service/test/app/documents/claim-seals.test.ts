/** A person who writes to the database cannot put another claim of the same document in the place of one, nor one of an older version. */
import { beforeEach, describe, expect, it } from 'vitest'
import { listClaims } from '../../../src/app/documents/claims.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database)
const worker = usePools(database, 4, 'worker')
let tenant: TestTenant
let bureau: Bureau

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
})

const list = () =>
  listClaims(documentsDeps(api()), tenant.caller, 'default', {
    limit: 10,
    cursor: undefined,
    documentId: undefined,
    kind: undefined,
  })
const sealedClaims = () =>
  look<{ no: number; sealed: Buffer }>(
    database(),
    'select no, sealed from claims where tenant_id = $1 order by no',
    [tenant.tenantId],
  )
const replace = (no: number, sealed: Buffer | undefined) =>
  look(database(), 'update claims set sealed = $3 where tenant_id = $1 and no = $2', [
    tenant.tenantId,
    no,
    sealed,
  ])

describe('a sealed claim', () => {
  it('does not open as another claim of its document', async () => {
    await bureau.process([{ documentId: 'a', claims: [statement(1), statement(2, 'Borealis', 'debt')] }])
    expect((await list()).items).toHaveLength(2)
    const [, second] = await sealedClaims()
    await replace(0, second?.sealed)
    await expect(list()).rejects.toThrow('wrong key, wrong context or changed bytes')
  })

  it('does not open as the same claim of a newer version', async () => {
    await bureau.process([{ documentId: 'a', claims: [statement(1)] }])
    const [older] = await sealedClaims()
    await bureau.process([{ documentId: 'a', claims: [statement(2)] }])
    expect((await list()).items).toHaveLength(1)
    await replace(0, older?.sealed)
    await expect(list()).rejects.toThrow('wrong key, wrong context or changed bytes')
  })
})
