import { beforeEach, describe, expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import type { DocumentsDeps } from '../../../src/app/documents/documents.ts'
import { reportContradiction } from '../../../src/app/contradictions/reports.ts'
import type { ContradictionReport } from '../../../src/app/contradictions/reports.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import { getScopeSummary } from '../../../src/app/scopes/scope-summary.ts'
import { openBureau, statement } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant
let deps: DocumentsDeps

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  deps = documentsDeps(api())
})

const twelve = { claim: 'Revenue was EUR 12.4m.', source: 'report' }
const eleven = { claim: 'Revenue was EUR 11.9m.', source: 'A note on my desk' }
const report = (changed: Partial<ContradictionReport> = {}, who = tenant) =>
  reportContradiction(deps, who.caller, {
    scopeId: 'default',
    a: twelve,
    b: eleven,
    severity: 'high',
    note: 'Ask finance.',
    ...changed,
  })
const list = async (kind?: 'reported') =>
  (await listContradictions(deps, tenant.caller, 'default', { limit: 100, cursor: undefined, kind })).items

describe('a contradiction that is reported', () => {
  it('is kept with what was said, and told of', async () => {
    const { contradiction, isNew } = await report()
    expect(isNew).toBe(true)
    expect(contradiction).toMatchObject({
      status: 'open',
      kind: 'reported',
      relation: 'conflict',
      severity: 'high',
      confidence: null,
      rule: tenant.caller.actor,
      note: 'Ask finance.',
      a: {
        source: 'report',
        quote: twelve.claim,
        documentId: null,
        version: null,
        claim: null,
        claimId: null,
      },
      b: { source: eleven.source, quote: eleven.claim },
      resolution: null,
    })
    expect(await list('reported')).toEqual([contradiction])
    const log = await logOf(database(), tenant)
    expect(log.at(-1)).toMatchObject({
      kind: 'contradiction.opened',
      data: {
        contradiction_id: contradiction.contradictionId,
        kind: 'reported',
        severity: 'high',
        document_ids: [],
      },
    })
    const kept = await look<{ row: string }>(
      database(),
      `select c::text || encode(sealed, 'escape') as row from contradictions c where tenant_id = $1`,
      [tenant.tenantId],
    )
    expect(JSON.stringify([log, kept])).not.toMatch(/Revenue|finance|desk/)
    const { contradictions } = await getScopeSummary(deps, tenant.caller, 'default')
    expect(contradictions).toEqual([expect.objectContaining({ status: 'open', kind: 'reported', count: 1 })])
  })

  it('is one, in either order and however often it is reported', async () => {
    const first = await report()
    const again = await report({ a: eleven, b: twelve, severity: 'low', note: null })
    expect(again).toEqual({ contradiction: first.contradiction, isNew: false })
    expect(await list()).toHaveLength(1)
    const opened = (await logOf(database(), tenant)).filter(({ kind }) => kind === 'contradiction.opened')
    expect(opened).toHaveLength(1)
    const entries = await look<{ subject: string; details: object }>(
      database(),
      `select subject, details from audit_log where tenant_id = $1 and action = 'contradiction.reported'`,
      [tenant.tenantId],
    )
    expect(entries.map(({ subject }) => subject)).toEqual([first.contradiction.contradictionId])
    expect(JSON.stringify(entries)).not.toMatch(/Revenue|finance|desk/)
  })

  it('is another with other words, of another source, and in another scope', async () => {
    await makeScope(api(), tenant, 'other')
    const stranger = await makeTenant(api())
    await makeScope(api(), stranger, 'default')
    const others = [
      report({ a: { ...twelve, claim: 'Revenue was EUR 12.5m.' } }),
      report({ a: { ...twelve, source: 'another report' } }),
      report({ a: { ...twelve, source: eleven.source }, b: { ...eleven, source: twelve.source } }),
      report({ scopeId: 'other' }),
      report({}, stranger),
      report(),
    ]
    const found = await Promise.all(others)
    expect(found.every(({ isNew }) => isNew)).toBe(true)
    expect(new Set(found.map(({ contradiction }) => contradiction.contradictionId)).size).toBe(others.length)
    expect(await faultOf(report({ scopeId: 'nowhere' }))).toBe('scope_not_found')
  })

  it('names a document of the scope where its source is the id of one, and stays when that is removed', async () => {
    const bureau = openBureau(api(), worker(), tenant)
    await bureau.process([{ documentId: 'report', claims: [statement(12)] }])
    const { contradiction } = await report()
    expect(contradiction.a).toMatchObject({ documentId: 'report', version: 1, source: 'report' })
    expect(contradiction.b).toMatchObject({ documentId: null, version: null })
    await removeDocument(deps, tenant.caller, 'default', 'report')
    expect(await list()).toEqual([contradiction])
    const { contradiction: later } = await report({ note: null, b: { ...eleven, claim: 'Else.' } })
    expect(later.a.documentId).toBeNull()
  })

  it('is resolved and reopened like those that were found, and repeating the report changes nothing', async () => {
    const { contradiction } = await report()
    const { contradictionId: id } = contradiction
    const settlement = { by: null, reason: 'Old figures.' }
    const closed = await resolveContradiction(deps, tenant.caller, 'default', id, {
      ...settlement,
      outcome: 'resolved',
      holds: 'a',
    })
    expect(closed).toMatchObject({ status: 'resolved', resolution: { holds: 'a', documentIds: [] } })
    expect((await report()).contradiction).toEqual(closed)
    const open = await resolveContradiction(deps, tenant.caller, 'default', id, {
      ...settlement,
      outcome: 'reopened',
      holds: null,
    })
    expect(open.status).toBe('open')
  })
})
