/** Claims that a model stated are filed as facts with the document that brings them, and go with it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { getConvergence } from '../../../src/app/scopes/convergence.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { factRows, stated, statedPaper } from '../../support/facts.ts'
import { auditor, makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')
let tenant: TestTenant
let bureau: Bureau

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
})

const rows = () => factRows(database(), tenant)
const remove = (documentId: string) =>
  removeDocument(documentsDeps(api()), tenant.caller, 'default', documentId)
const comparedIn = async () => {
  const [row] = await look<{ counts: string }>(
    database(),
    `select concat_ws(' ', claims, compared) as counts from scope_convergence where tenant_id = $1 and scope_id = 'default'`,
    [tenant.tenantId],
  )
  return row?.counts
}

describe('filing', () => {
  it('creates one fact for claims with the same statement, and one step for new facts', async () => {
    await bureau.process([statedPaper('d1', stated(10), stated(3, 'Borealis', 'debt'), stated(10))])
    expect(await rows()).toMatchObject({
      facts: ['d1.0 d1.2 pending f', 'd1.1 pending f'],
      steps: ['d1 v1 x2'],
      counts: { facts: 2, steps: 1 },
    })
    expect(await comparedIn()).toBe('3 0')
    await bureau.process([statedPaper('d2', stated(10), stated(11))])
    expect(await rows()).toMatchObject({
      facts: ['d1.0 d1.2 d2.0 pending t', 'd1.1 pending f', 'd2.1 pending f'],
      steps: ['d1 v1 x2', 'd2 v1 x1'],
    })
    // Two documents state it alike, so three claims are compared.
    expect(await comparedIn()).toBe('5 3')
  })

  it('creates a step for each hundred facts', async () => {
    const claims = Array.from({ length: 235 }, (_, nth) => stated(nth + 1))
    await bureau.process([statedPaper('d1', ...claims)])
    expect((await rows()).steps).toEqual(['d1 v1 x100', 'd1 v1 x100', 'd1 v1 x35'])
  })

  it('creates no step if all facts exist', async () => {
    await bureau.process([statedPaper('d1', stated(10))])
    await bureau.process([statedPaper('d2', stated(10)), statedPaper('d3', stated(10))])
    expect(await rows()).toMatchObject({ facts: ['d1.0 d2.0 d3.0 pending t'], steps: ['d1 v1 x1'] })
    expect(await comparedIn()).toBe('3 3')
  })

  it('leaves claims of rules in their groups, beside those of a model', async () => {
    await bureau.process([{ documentId: 'r', claims: [statement(10)] }, statedPaper('d1', stated(11))])
    expect(await rows()).toMatchObject({ facts: ['d1.0 pending f'], steps: ['d1 v1 x1'] })
    expect(await bureau.findings()).toEqual([])
  })

  it('prevents the scope from being settled, and gives the reason', async () => {
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(10))])
    expect(await getConvergence({ pools: api() }, tenant.caller, 'default')).toMatchObject({
      state: 'working',
      blockers: [{ kind: 'comparison_pending', id: 'default', severity: null }],
      blockersTotal: 1,
      comparisonsPending: 1,
    })
  })
})

describe('a document that is removed', () => {
  it('removes its witnesses, and facts that no other document states', async () => {
    await bureau.process([statedPaper('d1', stated(10), stated(3)), statedPaper('d2', stated(3), stated(4))])
    await remove('d1')
    expect(await rows()).toMatchObject({ facts: ['d2.0 pending t', 'd2.1 pending f'] })
    await remove('d2')
    expect(await rows()).toEqual({
      facts: [],
      steps: [],
      counts: { facts: 0, tokens: 0, steps: 0, refused: 0 },
    })
    expect(await comparedIn()).toBe('0 0')
  })

  it('passes facts that are not compared yet to another witness', async () => {
    await bureau.process([statedPaper('d1', stated(10), stated(3))])
    await bureau.process([statedPaper('d2', stated(3), stated(4))])
    expect((await rows()).steps).toEqual(['d1 v1 x2', 'd2 v1 x1'])
    await remove('d1')
    // Each has the position that it had, so they are two steps.
    expect((await rows()).steps).toEqual(['d2 v1 x1', 'd2 v1 x1'])
  })

  it('keeps its facts if its next version states them again', async () => {
    await bureau.process([statedPaper('d1', stated(10), stated(3))])
    const before = await look<{ position: string }>(
      database(),
      'select position from facts where tenant_id = $1',
      [tenant.tenantId],
    )
    await bureau.process([statedPaper('d1', stated(5), stated(10))])
    expect(await rows()).toMatchObject({ facts: ['d1.1 pending f', 'd1.0 pending f'] })
    expect((await rows()).steps.toSorted()).toEqual(['d1 v2 x1', 'd1 v2 x1'])
    const after = await look<{ position: string }>(
      database(),
      'select position from facts where tenant_id = $1 order by position',
      [tenant.tenantId],
    )
    expect(after[0]).toEqual(before[0])
  })

  it('leaves nothing when it is read by rules again, nor when the scope is reset', async () => {
    await bureau.process([statedPaper('d1', stated(10))])
    await bureau.process([{ documentId: 'd1', claims: [statement(10)] }])
    expect(await rows()).toMatchObject({ facts: [], steps: [] })
    await bureau.process([statedPaper('d2', stated(10))])
    const deps = { pools: api(), masterKeys, auditor, announceEvents: () => undefined }
    await resetScope(deps, tenant.caller, 'default')
    expect(await rows()).toMatchObject({ facts: [], steps: [], counts: { facts: 0 } })
  })
})
