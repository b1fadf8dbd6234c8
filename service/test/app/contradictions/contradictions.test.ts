import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { listClaims } from '../../../src/app/documents/claims.ts'
import type { ClaimsRequest } from '../../../src/app/documents/claims.ts'
import { getContradiction, listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import type { ContradictionsRequest } from '../../../src/app/contradictions/contradictions.ts'
import { openClaimJson, sealClaim } from '../../../src/app/documents/claim-seals.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import type { DocumentsDeps } from '../../../src/app/documents/documents.ts'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { getScopeSummary } from '../../../src/app/scopes/scope-summary.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant
let bureau: Bureau
let deps: DocumentsDeps

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
  deps = documentsDeps(api())
})

const page = { limit: 100, cursor: undefined }
const claims = (more: Partial<ClaimsRequest> = {}) =>
  listClaims(deps, tenant.caller, 'default', { ...page, documentId: undefined, kind: undefined, ...more })
const contradictions = (more: Partial<ContradictionsRequest> = {}) =>
  listContradictions(deps, tenant.caller, 'default', { ...page, ...more })
const disagree = () =>
  bureau.process([
    { documentId: 'a', claims: [statement(10), statement(3, 'Borealis', 'debt')] },
    { documentId: 'b', claims: [statement(12)] },
  ])

/** The first claim of document a, sealed for the numbers from 1 on. */
async function copiesOfFirst(count: number): Promise<readonly Buffer[]> {
  const seal = await deps.seals.get(tenant.tenantId, 'default')
  const [first] = await look<{ sealed: Buffer }>(
    database(),
    `select sealed from claims where document_id = 'a' and no = 0 and tenant_id = $1`,
    [tenant.tenantId],
  )
  if (!first) throw new Error('document a has a claim')
  const json = openClaimJson(seal, { documentId: 'a', version: 1, no: 0, sealed: first.sealed })
  return Array.from({ length: count }, (_, at) =>
    sealClaim(seal, { documentId: 'a', version: 1, no: at + 1 }, json),
  )
}

describe('claims of a scope', () => {
  it('come by document and place, page by page', async () => {
    await disagree()
    const first = await claims({ limit: 2 })
    expect(first.items.map((each) => [each.documentId, each.version, each.claim.valueText])).toEqual([
      ['a', 1, 'EUR 10m'],
      ['a', 1, 'EUR 3m'],
    ])
    const rest = await claims({ limit: 2, cursor: first.nextCursor ?? '' })
    expect(rest.items.map((each) => each.documentId)).toEqual(['b'])
    expect(rest.nextCursor).toBeNull()
    const ids = [...first.items, ...rest.items].map((each) => each.claimId)
    expect(new Set(ids).size).toBe(3)
  })

  it('are searched a thousand at a time, and on from there', async () => {
    await bureau.process([
      { documentId: 'a', claims: [statement(10)] },
      { documentId: 'b', claims: [statement(3, 'Borealis', 'debt')] },
    ])
    await look(
      database(),
      `insert into claims (tenant_id, scope_id, document_id, no, version, epoch, kind, claim_rank, keys, value_ranks, sealed)
       select tenant_id, scope_id, document_id, n.no, version, epoch, kind, claim_rank, keys, value_ranks, n.sealed
         from claims cross join unnest($2::bytea[]) with ordinality n(sealed, no)
        where document_id = 'a' and tenant_id = $1`,
      [tenant.tenantId, await copiesOfFirst(1_100)],
    )
    const search = { attribute: 'debt', limit: 1 }
    const first = await claims(search)
    expect(first.items).toEqual([])
    const second = await claims({ ...search, cursor: first.nextCursor ?? '' })
    expect(second.items.map((each) => each.documentId)).toEqual(['b'])
    expect(second.nextCursor).toBeNull()
    const page1 = await claims({ attribute: 'revenue', limit: 2 })
    const page2 = await claims({ attribute: 'revenue', limit: 2, cursor: page1.nextCursor ?? '' })
    expect(new Set([...page1.items, ...page2.items].map((each) => each.claimId)).size).toBe(4)
  })

  it('come of one document or one kind', async () => {
    await disagree()
    expect((await claims({ documentId: 'b' })).items.map((each) => each.documentId)).toEqual(['b'])
    expect((await claims({ kind: 'money' })).items).toHaveLength(3)
    expect((await claims({ kind: 'date' })).items).toEqual([])
    expect(await faultOf(claims({ documentId: 'c' }))).toBe('document_not_found')
    const elsewhere = listClaims(deps, tenant.caller, 'nowhere', {
      ...page,
      documentId: undefined,
      kind: undefined,
    })
    expect(await faultOf(elsewhere)).toBe('scope_not_found')
  })
})

describe('contradictions of a scope', () => {
  it('come with both sides, and the names of their documents', async () => {
    await disagree()
    const { items } = await contradictions()
    expect(items).toHaveLength(1)
    const [found] = items
    const sides = [found?.a, found?.b].toSorted((x, y) =>
      (x?.documentId ?? '').localeCompare(y?.documentId ?? ''),
    )
    expect(sides.map((side) => [side?.documentId, side?.version, side?.claim?.valueText])).toEqual([
      ['a', 1, 'EUR 10m'],
      ['b', 1, 'EUR 12m'],
    ])
    expect(sides.every((side) => side?.source !== '')).toBe(true)
    const known = new Set((await claims()).items.map((each) => each.claimId))
    expect(sides.every((side) => known.has(side?.claimId ?? ''))).toBe(true)
    expect(found).toMatchObject({ relation: 'conflict', kind: 'money', period: '2025', status: 'open' })
  })

  it('are found by id in their own scope alone', async () => {
    await disagree()
    const [found] = (await contradictions()).items
    const id = found?.contradictionId ?? ''
    expect(await getContradiction(deps, tenant.caller, 'default', id)).toEqual(found)
    await makeScope(api(), tenant, 'other')
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    for (const [who, scopeId, name] of [
      [tenant, 'other', id],
      [other, 'default', id],
      [tenant, 'default', randomUUID()],
    ] as const)
      expect(await faultOf(getContradiction(deps, who.caller, scopeId, name))).toBe('contradiction_not_found')
    expect(await faultOf(getContradiction(deps, tenant.caller, 'nowhere', id))).toBe('scope_not_found')
  })

  it('come newest first, page by page, and by what they are', async () => {
    await disagree()
    await bureau.process([{ documentId: 'c', claims: [statement(5, 'Borealis', 'debt')] }])
    const first = await contradictions({ limit: 1 })
    const second = await contradictions({ limit: 1, cursor: first.nextCursor ?? '' })
    expect([first, second].map(({ items }) => items[0]?.attribute)).toEqual(['debt', 'revenue'])
    expect(second.nextCursor).toBeNull()
    expect((await contradictions({ documentId: 'c' })).items.map((each) => each.attribute)).toEqual(['debt'])
    expect((await contradictions({ kind: 'date' })).items).toEqual([])
    expect((await contradictions({ statuses: ['resolved'] })).items).toEqual([])
    expect((await contradictions({ relation: 'conflict' })).items).toHaveLength(2)
  })

  it('go with the document that one side is in', async () => {
    await disagree()
    await removeDocument(deps, tenant.caller, 'default', 'b')
    expect((await contradictions()).items).toEqual([])
    expect((await claims()).items.map((each) => each.documentId)).toEqual(['a', 'a'])
  })

  it('are read with the key of a new generation, also by who remembers the old one', async () => {
    await disagree()
    expect((await contradictions()).items).toHaveLength(1)
    await resetScope({ ...deps, masterKeys }, tenant.caller, 'default')
    expect((await contradictions()).items).toEqual([])
    bureau = openBureau(api(), worker(), tenant)
    await disagree()
    expect((await contradictions()).items).toHaveLength(1)
    expect((await claims()).items).toHaveLength(3)
  })
})

describe('a scope at a glance', () => {
  it('counts claims and contradictions, and shows the newest', async () => {
    const empty = await getScopeSummary(deps, tenant.caller, 'default')
    expect([empty.claims, empty.contradictions, empty.newest]).toEqual([0, [], []])
    await disagree()
    const summary = await getScopeSummary(deps, tenant.caller, 'default')
    expect(summary.claims).toBe(3)
    expect(summary.contradictions).toEqual([
      expect.objectContaining({ status: 'open', relation: 'conflict', kind: 'money', count: 1 }),
    ])
    expect(summary.newest).toEqual((await contradictions()).items)
  })

  it('shows no more than five', async () => {
    const subjects = ['Aster', 'Birch', 'Cedar', 'Dahlia', 'Elm', 'Fir', 'Ginkgo']
    for (const [documentId, millions] of [
      ['a', 10],
      ['b', 20],
    ] as const)
      await bureau.process([{ documentId, claims: subjects.map((subject) => statement(millions, subject)) }])
    const { newest, contradictions: counted } = await getScopeSummary(deps, tenant.caller, 'default')
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(7)
    expect(newest).toEqual((await contradictions({ limit: 5 })).items)
  })
})
