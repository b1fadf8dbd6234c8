import { beforeEach, describe, expect, it } from 'vitest'
import { getConvergence, listConvergence } from '../../../src/app/scopes/convergence.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { deleteScope, resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { getScopeSummary } from '../../../src/app/scopes/scope-summary.ts'
import { listScopes } from '../../../src/app/scopes/scopes.ts'
import { gapOf, toStoredReport } from '../../../src/domain/reading-report.ts'
import type { ReadingReport } from '../../../src/domain/reading-report.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look, pictureOf, wholeReport } from '../../support/documents.ts'
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

const paper = (documentId: string, ...millions: readonly number[]) => ({
  documentId,
  claims: millions.map((each) => statement(each)),
})
const convergence = (scopeId = 'default') => getConvergence({ pools: api() }, tenant.caller, scopeId)
const told = async () =>
  (await logOf(database(), tenant)).filter(({ kind }) => kind === 'convergence.changed')
const erasing = () => ({ pools: api(), masterKeys, auditor, announceEvents: () => undefined })
const decide = (status: string) =>
  look(database(), `update contradictions set status = '${status}' where tenant_id = $1`, [tenant.tenantId])

describe('convergence', () => {
  it('of a new scope is empty', async () => {
    expect(await convergence()).toEqual({
      score: 0,
      state: 'empty',
      coverage: 0,
      agreement: 1_000_000,
      resolution: 1_000_000,
      stability: 1_000_000,
      ended: 0,
      unfinished: 0,
      claims: 0,
      claimsCompared: 0,
      comparisonsPending: 0,
      comparisonsHeld: { not_permitted: 0, over_budget: 0 },
      blockersTotal: 0,
      blockers: [],
      points: [],
      head: 1,
      trend: { shape: 'plateau', rate: 0, documentsToGo: null },
    })
  })

  it('changes at once when a document is accepted, and its event follows when one completes', async () => {
    const results = await bureau.begin([paper('a', 10), paper('b', 10)])
    expect(await convergence()).toMatchObject({ state: 'working', score: 0, blockersTotal: 2 })
    expect((await convergence()).blockers).toEqual([
      { kind: 'document_unfinished', id: 'a', severity: null },
      { kind: 'document_unfinished', id: 'b', severity: null },
    ])
    expect(await told()).toEqual([])
    for (const result of results) await bureau.attempts.complete(result)
    expect((await told()).map(({ data }) => data)).toEqual([
      { score: 0.3, state: 'working', blockers: 1 },
      { score: 1, state: 'settled', blockers: 0 },
    ])
    const { points, head, ...rest } = await convergence()
    expect(rest).toMatchObject({ state: 'settled', score: 1_000_000, blockers: [], ended: 2 })
    expect(points.map(({ score, state, ended }) => [score, state, ended])).toEqual([
      [300_000, 'working', 1],
      [1_000_000, 'settled', 2],
    ])
    expect(points.at(-1)?.seq).toBe(head)
  })

  it('covers the characters that were read, and names each document with a gap', async () => {
    const [whole, ...others] = await bureau.begin(['a', 'b', 'c', 'd', 'e'].map((id) => paper(id, 10)))
    if (whole) await bureau.attempts.complete(whole)
    const gaps: Partial<ReadingReport>[] = [
      { charactersRead: 0, unread: [{ reason: 'not_text', characters: 9, passages: 2 }] },
      { charactersRead: 6, unread: [{ reason: 'limit', characters: 3, passages: 1 }] },
      { charactersRead: 3, unread: [{ reason: 'language', characters: 6, passages: 1 }] },
      { claims: 0 },
    ]
    for (const [index, result] of others.entries()) {
      if (!result.reading) throw new Error('it was not read')
      const report = { ...wholeReport(9), ...gaps[index] }
      const reading = { ...result.reading, report: toStoredReport(report), gap: gapOf(report) }
      await bureau.attempts.complete({ ...result, reading })
    }
    expect(await convergence()).toMatchObject({
      state: 'converging',
      coverage: Math.floor((27 * 1_000_000) / 45),
      blockersTotal: 4,
      blockers: [
        { kind: 'document_unread', id: 'b', severity: null },
        { kind: 'document_partly_read', id: 'c', severity: null },
        { kind: 'document_language', id: 'd', severity: null },
        { kind: 'document_without_claims', id: 'e', severity: null },
      ],
    })
    for (const id of ['b', 'c', 'd', 'e'])
      await removeDocument(documentsDeps(api()), tenant.caller, 'default', id)
    expect(await convergence()).toMatchObject({ coverage: 1_000_000, blockers: [] })
  })

  it('is unassessed while less than a tenth of the claims is compared', async () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, at) => statement(10, `Firm${at}`, `measure${at}`))
    await bureau.process([{ documentId: 'a', claims: [statement(10), ...others(18)] }])
    expect(await convergence()).toMatchObject({
      state: 'unassessed',
      agreement: 0,
      claims: 19,
      claimsCompared: 0,
      blockers: [],
    })
    await bureau.process([paper('b', 10)])
    expect(await convergence()).toMatchObject({
      state: 'settled',
      score: 1_000_000,
      claims: 20,
      claimsCompared: 2,
    })
  })

  it('is not settled while claims were not compared completely', async () => {
    await bureau.process([paper('a', 10), paper('b', 10)])
    await look(database(), 'update scope_convergence set cuts = 2 where tenant_id = $1', [tenant.tenantId])
    expect(await convergence()).toMatchObject({
      state: 'converging',
      score: 999_999,
      blockersTotal: 1,
      blockers: [{ kind: 'comparison_incomplete', id: 'default', severity: null }],
    })
  })

  it('falls with a contradiction, names it, and rises when it is decided', async () => {
    await bureau.process([paper('a', 10), paper('b', 12), paper('c', 10)])
    const [found] = await bureau.rows()
    const open = await convergence()
    expect(open).toMatchObject({
      coverage: 1_000_000,
      agreement: 333_333,
      resolution: 0,
      stability: 333_333,
      score: 199_999,
      blockers: [{ kind: 'contradiction_open', id: found?.contradictionId, severity: found?.severity }],
    })
    await decide('resolved')
    expect(await convergence()).toMatchObject({ state: 'settled', score: 1_000_000, blockers: [] })
    await decide('open')
    expect(await convergence()).toMatchObject({ state: open.state, score: open.score })
  })

  it('ignores contradictions of relation `change`', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    await look(
      database(),
      `with gone as (delete from contradictions where tenant_id = $1 returning *)
       insert into contradictions (tenant_id, scope_id, contradiction_id, epoch, group_key, relation, kind, severity,
                                   document_a, document_b, claim_a, claim_b, sealed, opened_seq)
       select tenant_id, scope_id, contradiction_id, epoch, group_key, 'change', kind, severity, document_a, document_b,
              claim_a, claim_b, sealed, opened_seq from gone`,
      [tenant.tenantId],
    )
    expect(await convergence()).toMatchObject({ state: 'settled', score: 1_000_000, blockers: [] })
  })

  it('is after a removal as if the document had never been sent', async () => {
    await bureau.process([paper('a', 10), paper('b', 10)])
    const { head: _, points: __, trend: ___, ended: ____, ...before } = await convergence()
    await bureau.process([paper('c', 12)])
    expect((await convergence()).score).toBeLessThan(before.score)
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'c')
    expect(await convergence()).toMatchObject(before)
    expect((await told()).at(-1)).toMatchObject({ data: { score: 1, state: 'settled' } })
    expect(await look(database(), 'select * from contested where tenant_id = $1', [tenant.tenantId])).toEqual(
      [],
    )
  })

  it('causes an event when it changes by a hundredth, not by less', async () => {
    await bureau.process(Array.from({ length: 30 }, (_, index) => paper(`d${index}`, 10)))
    const results = await bureau.begin([paper('x', 10)])
    const before = (await told()).length
    await Promise.all(results.map((result) => bureau.attempts.complete(result)))
    expect(await told()).toHaveLength(before)
  })

  it('is the same in the summary, in the list of scopes and in that of the kernel, and reading changes nothing', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const picture = await pictureOf(database(), tenant)
    const { score, state, blockers } = await convergence()
    const seals = bureau.seals
    const summary = await getScopeSummary({ pools: api(), seals }, tenant.caller, 'default')
    expect(summary.convergence).toMatchObject({ score, state, blockersTotal: blockers.length })
    expect(summary.blockers).toEqual(blockers)
    const listed = await listScopes({ pools: api(), masterKeys, auditor }, tenant.caller, {
      limit: 10,
      cursor: undefined,
    })
    expect(listed.items[0]?.convergence).toMatchObject({ score, state })
    const kernel = await listConvergence(
      { pools: api() },
      { limit: 10, cursor: undefined, tenantId: tenant.tenantId, scopeId: undefined },
    )
    expect(kernel.items).toMatchObject([{ tenantId: tenant.tenantId, scopeId: 'default', score, state }])
    expect(await pictureOf(database(), tenant)).toEqual(picture)
  })

  it('begins again after a reset, and is deleted with the scope', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    await resetScope(erasing(), tenant.caller, 'default')
    expect(await convergence()).toMatchObject({
      state: 'empty',
      score: 0,
      points: [],
      ended: 0,
      blockers: [],
    })
    await deleteScope(erasing(), tenant.caller, 'default')
    await expect(convergence()).rejects.toMatchObject({ code: 'scope_not_found' })
    const left = await look(
      database(),
      `select scope_id from scope_convergence where tenant_id = $1 union all select scope_id from contested
        where tenant_id = $1 union all select scope_id from convergence_series where tenant_id = $1`,
      [tenant.tenantId],
    )
    expect(left).toEqual([])
  })
})

describe('the list of the kernel', () => {
  it('pages through all tenants, or through one scope id', async () => {
    const other = await makeTenant(api())
    for (const scopeId of ['a', 'b', 'c']) await makeScope(api(), other, scopeId)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listConvergence(
        { pools: api() },
        { limit: 2, cursor, tenantId: undefined, scopeId: undefined },
      )
      seen.push(...page.items.map(({ tenantId, scopeId }) => `${tenantId} ${scopeId}`))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(seen.toSorted())
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((each) => each.startsWith(other.tenantId))).toHaveLength(3)
    const one = await listConvergence(
      { pools: api() },
      { limit: 10, cursor: undefined, tenantId: other.tenantId, scopeId: 'b' },
    )
    expect(one.items.map(({ scopeId }) => scopeId)).toEqual(['b'])
  })
})
