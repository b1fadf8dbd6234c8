import { beforeEach, describe, expect, it } from 'vitest'
import { sealClaim } from '../../../src/app/documents/claim-seals.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { countFindings, selectContradiction } from '../../../src/store/contradictions/contradictions.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { openBureau, pairsOf, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look, pictureOf } from '../../support/documents.ts'
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
const remove = (documentId: string) =>
  removeDocument(documentsDeps(api()), tenant.caller, 'default', documentId)
const pairs = async () => pairsOf(await bureau.findings())
const kinds = async (from = 0) =>
  (await logOf(database(), tenant))
    .slice(from)
    .map(({ kind, document_id: id }) => (id ? `${kind} ${id}` : kind))
/** Whatever is kept of claims and findings, to the byte, but for what differs from one seal or moment to the next. */
const remains = () =>
  look<{ row: string }>(
    database(),
    `select 'claim ' || concat_ws(' ', document_id, no, keys, value_ranks, claim_rank) as row from claims where tenant_id = $1
     union all select 'key ' || concat_ws(' ', key, value_rank, claim_rank, document_id, no) from claim_keys where tenant_id = $1
     union all select 'count ' || claims from claim_counts where tenant_id = $1 and claims <> 0
     union all select 'found ' || concat_ws(' ', contradiction_id, group_key, print, severity, document_a, document_b)
       from contradictions where tenant_id = $1
     order by 1`,
    [tenant.tenantId],
  )

describe('two documents that disagree', () => {
  it('are found once, whichever comes first, and the log has no gaps', async () => {
    expect(await bureau.process([paper('a', 10)])).toEqual(['settled'])
    expect(await pairs()).toEqual([])
    expect(await bureau.process([paper('b', 12)])).toEqual(['settled'])
    expect(await pairs()).toEqual(['a EUR 10m – b EUR 12m'])
    const log = await logOf(database(), tenant)
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
    expect(log.slice(-4).map(({ kind }) => kind)).toEqual([
      'document.processed',
      'claims.extracted',
      'contradiction.opened',
      'convergence.changed',
    ])
    const [row] = await bureau.rows()
    expect(log.at(-2)).toMatchObject({
      document_id: null,
      data: {
        contradiction_id: row?.contradictionId,
        relation: 'conflict',
        kind: 'money',
        severity: row?.severity,
        document_ids: ['a', 'b'],
      },
    })
    expect(log.at(-3)).toMatchObject({ document_id: 'b', version: 1, data: { claims: 1 } })
    expect(row).toMatchObject({ openedSeq: log.length - 1, status: 'open', documentA: 'a', documentB: 'b' })
  })

  it('are found when they come in one batch', async () => {
    await bureau.process([paper('a', 10), paper('b', 12), paper('c', 10)])
    expect(await pairs()).toEqual(['a EUR 10m – b EUR 12m'])
  })

  it('share no finding with another scope or another tenant', async () => {
    await makeScope(api(), tenant, 'other')
    const stranger = await makeTenant(api())
    await makeScope(api(), stranger, 'default')
    const theirs = openBureau(api(), worker(), stranger)
    await bureau.process([paper('a', 10)])
    await bureau.process([paper('b', 12)], 'other')
    await theirs.process([paper('c', 14)])
    expect([await bureau.findings(), await bureau.findings('other'), await theirs.findings()]).toEqual([
      [],
      [],
      [],
    ])
  })
})

describe('one document that disagrees with itself', () => {
  it('is found, reported as internal, and withdrawn when a newer version agrees with itself', async () => {
    const claims = [10, 12].map((each, no) => ({
      ...statement(each),
      span: [no * 50, no * 50 + 40] as const,
    }))
    await bureau.process([{ documentId: 'a', claims }])
    expect(await pairs()).toEqual(['a EUR 10m – a EUR 12m'])
    const opened = (await logOf(database(), tenant)).find(({ kind }) => kind === 'contradiction.opened')
    expect(opened).toMatchObject({ data: { internal: true, document_ids: ['a', 'a'] } })
    await bureau.process([paper('a', 10)])
    expect(await pairs()).toEqual([])
  })

  it('is reported as two documents once another one has the same value', async () => {
    const claims = [10, 12].map((each, no) => ({
      ...statement(each),
      span: [no * 50, no * 50 + 40] as const,
    }))
    await bureau.process([{ documentId: 'a', claims }])
    const [before] = await bureau.rows()
    await bureau.process([paper('b', 12)])
    expect(await pairs()).toEqual(['a EUR 10m – b EUR 12m'])
    const [after] = await bureau.rows()
    expect(after?.contradictionId).toBe(before?.contradictionId)
  })
})

describe('a newer version', () => {
  it('replaces the claims of the older one', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const [before] = await bureau.rows()
    await bureau.process([paper('b', 10)])
    expect(await pairs()).toEqual([])
    const [told] = (await logOf(database(), tenant)).slice(-2)
    expect(told).toMatchObject({
      kind: 'contradiction.withdrawn',
      data: { contradiction_id: before?.contradictionId, document_ids: ['a', 'b'] },
    })
    await bureau.process([paper('b', 12)])
    const [again] = await bureau.rows()
    expect(again?.contradictionId).toBe(before?.contradictionId)
  })

  it('replaces them even without claims of its own', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    expect(await bureau.process([paper('b')])).toEqual(['settled'])
    expect(await bureau.claims()).toHaveLength(1)
    expect(await pairs()).toEqual([])
  })

  it('keeps the finding with id, age and status if it states the same', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const [before] = await bureau.rows()
    await look(database(), `update contradictions set status = 'dismissed' where tenant_id = $1`, [
      tenant.tenantId,
    ])
    await bureau.process([paper('b', 12)])
    const [after] = await bureau.rows()
    expect(after).toMatchObject({
      contradictionId: before?.contradictionId,
      openedSeq: before?.openedSeq,
      openedAt: before?.openedAt,
      status: 'dismissed',
    })
    expect((await bureau.findings())[0]).toContain('"version":2')
  })
})

describe('a document that is removed', () => {
  it('leaves the scope as if it had never been added', async () => {
    await bureau.process([paper('a', 10), paper('b', 12), paper('d', 14)])
    const before = await remains()
    await bureau.process([paper('c', 16, 12)])
    expect(await remains()).not.toEqual(before)
    const seen = (await logOf(database(), tenant)).length
    await remove('c')
    expect(await remains()).toEqual(before)
    expect((await kinds(seen))[0]).toBe('document.removed c')
    expect(new Set((await kinds(seen)).slice(1, -1))).toEqual(
      new Set(['contradiction.changed', 'contradiction.withdrawn']),
    )
    expect((await kinds(seen)).at(-1)).toBe('convergence.changed')
    const log = await logOf(database(), tenant)
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
  })

  it('only closes a gap if it had no claims', async () => {
    await bureau.process([paper('a', 10), paper('b')])
    const seen = (await logOf(database(), tenant)).length
    await remove('b')
    expect(await kinds(seen)).toEqual(['document.removed b', 'convergence.changed'])
  })
})

describe('a result that the fence refuses', () => {
  it('writes no claims, and its neighbours in the batch are compared', async () => {
    await bureau.process([paper('a', 10)])
    const [late] = await bureau.begin([paper('b', 12)])
    const picture = await pictureOf(database(), tenant)
    if (!late) throw new Error('nothing was begun')
    expect(await bureau.attempts.complete({ ...late, attempt: 2 })).toBe('stale')
    expect(await pictureOf(database(), tenant)).toEqual(picture)
    const [next] = await bureau.begin([paper('c', 14)])
    if (!next) throw new Error('nothing was begun')
    expect(
      await Promise.all([bureau.attempts.complete({ ...late, attempt: 2 }), bureau.attempts.complete(next)]),
    ).toEqual(['stale', 'settled'])
    expect(await pairs()).toEqual(['a EUR 10m – c EUR 14m'])
  })
})

describe('a faulty claim', () => {
  it('costs findings, not documents: a claim that cannot be decrypted is left out and logged', async () => {
    const troubles: unknown[] = []
    bureau = openBureau(api(), worker(), tenant, (error) => void troubles.push(error))
    await bureau.process([paper('a', 10), paper('b', 10)])
    await look(database(), `update claims set sealed = 'broken' where tenant_id = $1 and document_id = 'a'`, [
      tenant.tenantId,
    ])
    expect(await bureau.process([paper('c', 12)])).toEqual(['settled'])
    expect(await pairs()).toEqual(['b EUR 10m – c EUR 12m'])
    expect(troubles).toHaveLength(1)
  })

  it('costs only the findings of its group if it cannot be compared', async () => {
    const troubles: unknown[] = []
    bureau = openBureau(api(), worker(), tenant, (error) => void troubles.push(error))
    const [broken] = await bureau.begin([paper('a', 10)])
    if (!broken?.content) throw new Error('nothing was begun')
    const { seal, claims } = broken.content
    const json = Buffer.from('{}')
    const content = {
      seal,
      claims: claims.map((claim) => ({
        ...claim,
        json,
        sealed: sealClaim(seal, { documentId: 'a', version: 1, no: claim.no }, json),
      })),
    }
    expect(await bureau.attempts.complete({ ...broken, content })).toBe('settled')
    const debt = statement(3, 'Borealis', 'debt')
    const other = statement(4, 'Borealis', 'debt')
    expect(
      await bureau.process([
        { documentId: 'b', claims: [statement(12), debt] },
        { documentId: 'c', claims: [other] },
      ]),
    ).toEqual(['settled', 'settled'])
    expect(troubles.length).toBeGreaterThan(0)
    expect(await pairs()).toEqual(['b EUR 3m – c EUR 4m'])
  })

  it('is stored once if a text has it twice', async () => {
    await bureau.process([{ documentId: 'a', claims: [statement(10), statement(10)] }])
    expect(await bureau.claims()).toHaveLength(1)
  })
})

describe('a reset', () => {
  it('counts and deletes claims and findings, and the next generation starts empty', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const deps = { pools: api(), masterKeys, auditor, announceEvents: () => undefined }
    const { removed } = await resetScope(deps, tenant.caller, 'default')
    expect(removed).toMatchObject({ documents: 2, claims: 2, contradictions: 1 })
    expect(await remains()).toEqual([])
    bureau = openBureau(api(), worker(), tenant)
    await bureau.process([paper('b', 12), paper('a', 10)])
    expect(await pairs()).toEqual(['a EUR 10m – b EUR 12m'])
  })
})

describe('what was found', () => {
  it('are counted, and read one by one', async () => {
    await bureau.process([paper('a', 10), paper('b', 12), paper('c', 14)])
    const [row] = await bureau.rows()
    const { counts, same, other } = await inTenant(api().tenant, tenant.tenantId, async (own) => ({
      counts: await countFindings(own, 'default'),
      same: await selectContradiction(own, 'default', row?.contradictionId ?? ''),
      other: await selectContradiction(own, 'default', '00000000-0000-0000-0000-000000000000'),
    }))
    expect(counts.claims).toBe(3)
    expect(counts.contradictions.reduce((sum, { count }) => sum + count, 0)).toBe(3)
    expect(same).toEqual(row)
    expect(other).toBeUndefined()
  })
})
