/** getOwnScopeConvergence: how settled a scope is, and what to act on. */
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../events.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { contradict, contradictionsOf, OPENING, REVENUES, tell } from '../../world/claims.ts'
import { ingest, newDocumentId, remove, untilAllEnded } from '../../world/documents.ts'
import { bringTo, move, scopeSwitch } from '../../world/runtime.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getOwnScopeConvergence')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const ask = (scope: string) => ({ headers: bearer(tenant.key), params: { scopeId: scope } })
const good = () => ask(scopeId)
const read = async (scope: string) => subject.expectAnswer(await subject.call(ask(scope)), 200)
const newScope = async () => (await createScope(tenant)).scope_id

describe('getOwnScopeConvergence: 200', () => {
  it('says of a new scope that it is empty', async () => {
    expect(await read(scopeId)).toEqual({
      scope_id: scopeId,
      score: 0,
      state: 'empty',
      parts: { coverage: 0, agreement: 1, resolution: 1, stability: 1 },
      claims: 0,
      claims_compared: 0,
      comparisons_pending: 0,
      comparisons_held: { not_permitted: 0, over_budget: 0 },
      trend: { shape: 'plateau', rate: 0, documents_to_go: null },
      blockers: [],
      blockers_total: 0,
      seq: 1,
      points: [],
    })
  })

  it('names what is not finished, and is unassessed while nothing was compared', async () => {
    const scope = await newScope()
    await bringTo(scopeSwitch(tenant, scope), 'paused')
    const documentId = newDocumentId()
    await ingest(tenant, scope, { document_id: documentId, text: REVENUES[0] })
    expect(await read(scope)).toMatchObject({
      state: 'working',
      score: 0,
      blockers: [{ kind: 'document_unfinished', id: documentId, severity: null }],
      blockers_total: 1,
    })
    await move(scopeSwitch(tenant, scope), 'resume')
    await untilAllEnded(tenant, scope)
    const alone = await read(scope)
    expect(alone).toMatchObject({ state: 'unassessed', claims_compared: 0, blockers: [], blockers_total: 0 })
    expect(alone.score).toBeLessThan(1)
    expect(alone.claims).toBeGreaterThan(0)
  })

  it('is settled when everything was read and compared, and says so in the log', async () => {
    const scope = await newScope()
    await tell(tenant, scope, REVENUES[0])
    await tell(tenant, scope, REVENUES[0])
    const settled = await read(scope)
    expect(settled).toMatchObject({ state: 'settled', score: 1, blockers: [], blockers_total: 0 })
    expect(settled.claims_compared).toBeGreaterThan(0)
    const log = await readLog(tenant, scope)
    const told = log.filter(({ type }) => type === 'convergence.changed')
    expect(told.at(-1)?.data).toMatchObject({ score: 1, state: 'settled', blockers: 0 })
    expect(settled.points.at(-1)).toMatchObject({
      seq: told.at(-1)?.data.seq,
      score: 1,
      state: 'settled',
      documents: 2,
    })
    expect(settled.seq).toBe(log.at(-1)?.data.seq)
  })

  it('falls by a contradiction, names it, and rises when what it rests on is removed', async () => {
    const scope = await newScope()
    const [, other] = await contradict(tenant, scope)
    const [found] = await contradictionsOf(tenant, scope)
    const contested = await read(scope)
    expect(contested.score).toBeLessThan(1)
    expect(contested.blockers).toEqual([
      { kind: 'contradiction_open', id: found?.contradiction_id, severity: found?.severity },
    ])
    await remove(tenant, scope, other)
    const alone = await read(scope)
    expect(alone).toMatchObject({ state: 'unassessed', blockers: [] })
    expect(alone.score).toBeGreaterThan(contested.score)
  })
})

describe('getOwnScopeConvergence: 200 again', () => {
  it('is the same whichever document came first', async () => {
    const [one, two] = [await newScope(), await newScope()]
    for (const text of REVENUES) await tell(tenant, one, `${OPENING}${text}`)
    for (const text of REVENUES.toReversed()) await tell(tenant, two, `${OPENING}${text}`)
    const [first, second] = [await read(one), await read(two)]
    expect([second.score, second.state, second.parts]).toEqual([first.score, first.state, first.parts])
  })

  it('is changed by no look at it', async () => {
    const scope = await newScope()
    await contradict(tenant, scope)
    const before = await read(scope)
    for (let look = 0; look < 20; look += 1) expect(await read(scope)).toEqual(before)
  })
})

describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
