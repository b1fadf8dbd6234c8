import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { getContradiction, listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import type { FoundContradiction } from '../../../src/app/contradictions/contradictions.ts'
import { listDecisions } from '../../../src/app/contradictions/decisions.ts'
import type { DecisionsRequest } from '../../../src/app/contradictions/decisions.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import type { DocumentsDeps } from '../../../src/app/documents/documents.ts'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import type { Settlement } from '../../../src/app/contradictions/resolutions.ts'
import { getScopeMetrics } from '../../../src/app/scopes/scope-stats.ts'
import type { LocatedClaim } from '../../../src/domain/claim.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
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

const paper = (documentId: string, ...claims: readonly (number | LocatedClaim)[]) => ({
  documentId,
  claims: claims.map((each) => (typeof each === 'number' ? statement(each) : each)),
})
const resolved = (holds: Settlement['holds'], more: Partial<Settlement> = {}): Settlement => ({
  outcome: 'resolved',
  holds,
  by: 'j.doe@example.org',
  reason: 'The audited figure counts.',
  ...more,
})
const dismissed: Settlement = { outcome: 'dismissed', holds: null, by: null, reason: 'Not the same thing.' }
const reopened: Settlement = { outcome: 'reopened', holds: null, by: null, reason: 'We were wrong.' }

const settle = (id: string, settlement: Settlement, who = tenant.caller) =>
  resolveContradiction(deps, who, 'default', id, settlement)
const decisions = async (more: Partial<DecisionsRequest> = {}) =>
  listDecisions(deps, tenant.caller, 'default', { limit: 100, cursor: undefined, ...more })
const all = async () =>
  (await listContradictions(deps, tenant.caller, 'default', { limit: 100, cursor: undefined })).items
const only = async (): Promise<FoundContradiction> => {
  const [found, ...others] = await all()
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} contradictions`)
  return found
}
/** The side that says so much. */
const sideOf = ({ a, b }: FoundContradiction, valueText: string) => {
  if (a.claim?.valueText === valueText) return 'a'
  return b.claim?.valueText === valueText ? 'b' : null
}
const told = async () =>
  (await logOf(database(), tenant)).flatMap(({ kind }) => (kind.startsWith('contradiction.') ? [kind] : []))
const remove = (documentId: string) => removeDocument(deps, tenant.caller, 'default', documentId)
const between = async (one: string, other: string) =>
  (await all()).find((found) => sideOf(found, one) !== null && sideOf(found, other) !== null)

/** One that says 10 and another that says 12; what says 10 is upheld. */
async function uphold(): Promise<string> {
  await bureau.process([paper('a', 10), paper('b', 12)])
  const found = await only()
  await settle(found.contradictionId, resolved(sideOf(found, 'EUR 10m')))
  return found.contradictionId
}

describe('a contradiction', () => {
  it('is resolved with a reason, and the log, the lists and the history say so', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const open = await only()
    const answer = await settle(open.contradictionId, resolved('b'))
    expect(answer).toEqual(await only())
    expect(answer).toMatchObject({
      status: 'resolved',
      resolution: {
        result: 'resolved',
        holds: 'b',
        decidedBy: 'person',
        actor: tenant.caller.actor,
        by: 'j.doe@example.org',
        reason: 'The audited figure counts.',
      },
    })
    expect(answer.updatedAt > open.updatedAt).toBe(true)
    const log = await logOf(database(), tenant)
    expect(log.at(-1)).toMatchObject({ kind: 'convergence.changed', data: { score: 1, state: 'settled' } })
    expect(log.at(-3)).toMatchObject({
      kind: 'decision.made',
      data: {
        decision_id: answer.resolution?.decisionId,
        point: 'settle_contradiction',
        result: 'resolved',
        decided_by: 'person',
      },
    })
    expect(log.at(-2)).toMatchObject({
      kind: 'contradiction.resolved',
      seq: answer.resolution?.seq,
      data: {
        contradiction_id: open.contradictionId,
        decision_id: answer.resolution?.decisionId,
        decided_by: 'person',
        holds: 'b',
      },
    })
    expect(JSON.stringify(log)).not.toMatch(/audited|j\.doe/)
    expect((await decisions()).items).toEqual([answer.resolution])
  })

  it('goes from open to closed and back, and nowhere else', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const { contradictionId: id } = await only()
    expect(await faultOf(settle(id, reopened))).toBe('illegal_transition')
    await settle(id, dismissed)
    expect(await faultOf(settle(id, resolved('a')))).toBe('illegal_transition')
    expect((await settle(id, reopened)).status).toBe('open')
    await settle(id, resolved('a'))
    expect(await faultOf(settle(id, dismissed))).toBe('illegal_transition')
    await settle(id, { ...reopened, reason: 'And again.' })
    expect(await told()).toEqual([
      'contradiction.opened',
      'contradiction.dismissed',
      'contradiction.reopened',
      'contradiction.resolved',
      'contradiction.reopened',
    ])
    expect((await decisions({ contradictionId: id })).items.map(({ reason }) => reason)).toEqual([
      'And again.',
      'The audited figure counts.',
      'We were wrong.',
      'Not the same thing.',
    ])
  })

  it('is not decided twice by the very same request, but by no other', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const { contradictionId: id } = await only()
    const first = await settle(id, resolved('a'))
    expect(await settle(id, resolved('a'))).toEqual(first)
    for (const other of [resolved('b'), resolved('a', { by: null }), resolved('a', { reason: 'Else.' })])
      expect(await faultOf(settle(id, other))).toBe('illegal_transition')
    const another = { ...tenant.caller, actor: 'another key' }
    expect(await faultOf(settle(id, resolved('a'), another))).toBe('illegal_transition')
    expect((await decisions()).items).toHaveLength(1)
    expect(await told()).toEqual(['contradiction.opened', 'contradiction.resolved'])
  })

  it('is found in its own scope alone', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const { contradictionId: id } = await only()
    const stranger = await makeTenant(api())
    await makeScope(api(), stranger, 'default')
    expect(await faultOf(settle(id, dismissed, stranger.caller))).toBe('contradiction_not_found')
    expect(await faultOf(settle(randomUUID(), dismissed))).toBe('contradiction_not_found')
    expect(await faultOf(resolveContradiction(deps, tenant.caller, 'nowhere', id, dismissed))).toBe(
      'scope_not_found',
    )
    expect((await only()).status).toBe('open')
  })

  it('keeps names and reasons sealed', async () => {
    await uphold()
    const rows = await look<{ row: string }>(
      database(),
      `select d::text || encode(sealed, 'escape') as row from decisions d where tenant_id = $1`,
      [tenant.tenantId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toMatch(/audited|j\.doe/)
  })

  it('is in the audit log with what was decided of it, once and without words', async () => {
    const id = await uphold()
    await settle(id, resolved(sideOf(await only(), 'EUR 10m')))
    await settle(id, reopened)
    const entries = await look<{ action: string; actor: string; subject: string; details: object }>(
      database(),
      `select action, actor, subject, details from audit_log where tenant_id = $1 and action like 'contradiction.%'
        order by at`,
      [tenant.tenantId],
    )
    expect(entries.map(({ action, subject, actor }) => [action, subject, actor])).toEqual([
      ['contradiction.resolved', id, tenant.caller.actor],
      ['contradiction.reopened', id, tenant.caller.actor],
    ])
    expect(entries[0]?.details).toMatchObject({ holds: expect.stringMatching(/^[ab]$/) })
    expect(JSON.stringify(entries)).not.toMatch(/audited|j\.doe|wrong/)
  })

  it('that was found before values were kept with it is resolved by what it says', async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    await look(database(), `update contradictions set value_a = null, value_b = null where tenant_id = $1`, [
      tenant.tenantId,
    ])
    const found = await only()
    await settle(found.contradictionId, resolved(sideOf(found, 'EUR 10m')))
    await bureau.process([paper('c', 12)])
    expect((await only()).status).toBe('open')
  })
})

describe('what was decided', () => {
  it('outlives what it was decided of', async () => {
    const id = await uphold()
    await bureau.process([paper('b', 10)])
    expect(await all()).toEqual([])
    expect((await decisions({ contradictionId: id })).items).toHaveLength(1)
    await bureau.process([paper('b', 12)])
    expect(await only()).toMatchObject({ contradictionId: id, status: 'resolved' })
    const { data } = (await logOf(database(), tenant)).at(-1) ?? {}
    expect(data).toMatchObject({ contradiction_id: id, status: 'resolved' })
    await remove('b')
    await bureau.process([paper('b', 12)])
    expect((await getContradiction(deps, tenant.caller, 'default', id)).status).toBe('resolved')
    expect((await decisions()).items).toHaveLength(1)
  })

  it('is not changed by reading once more, by a repeat, nor by what goes', async () => {
    await bureau.process([paper('a', 10), paper('a2', 10), paper('b', 12), paper('c', 12)])
    const { contradictionId: id, ...found } = await only()
    await settle(id, resolved(sideOf({ contradictionId: id, ...found }, 'EUR 10m')))
    await bureau.process([paper('a', 10), paper('b', 12)])
    await bureau.process([paper('c', 12, statement(3, 'Borealis', 'debt'))])
    await remove('b')
    await remove('a')
    await bureau.process([paper('a3', 10)])
    expect(await only()).toMatchObject({ contradictionId: id, status: 'resolved' })
    expect((await decisions()).items).toHaveLength(1)
  })

  it('upholds a value, whichever side says it later', async () => {
    const id = await uphold()
    const before = await only()
    const side = sideOf(before, 'EUR 10m')
    // If two are equally old the document with the lesser name comes first.
    await bureau.process([paper(side === 'a' ? 'z' : 'A', 10)])
    await remove('a')
    const after = await only()
    expect(after.contradictionId).toBe(id)
    expect(sideOf(after, 'EUR 10m')).not.toBe(side)
    expect(after.resolution?.holds).toBe(sideOf(after, 'EUR 10m'))
    expect((await decisions()).items[0]?.holds).toBe(sideOf(after, 'EUR 10m'))
  })

  it('is gone with a reset', async () => {
    await uphold()
    await resetScope({ ...deps, masterKeys }, tenant.caller, 'default')
    expect((await decisions()).items).toEqual([])
    bureau = openBureau(api(), worker(), tenant)
    await bureau.process([paper('a', 10), paper('b', 12)])
    expect(await only()).toMatchObject({ status: 'open', resolution: null })
  })

  it('comes page by page, and by what it was about', async () => {
    await bureau.process([paper('a', 10), paper('b', 12), paper('c', 14)])
    const found = await all()
    expect(found.length).toBeGreaterThan(1)
    for (const { contradictionId } of found) await settle(contradictionId, dismissed)
    const expected = (await decisions()).items
    expect(expected.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq).toSorted((x, y) => y - x))
    const first = await decisions({ limit: 1 })
    const rest = await decisions({ cursor: first.nextCursor ?? '' })
    expect([...first.items, ...rest.items]).toEqual(expected)
    const [newest] = expected
    expect((await decisions({ contradictionId: newest?.contradictionId ?? '' })).items).toEqual([newest])
    for (const documentId of ['a', 'b', 'c'])
      expect((await decisions({ documentId })).items).toEqual(
        expected.filter(({ documentIds }) => documentIds.includes(documentId)),
      )
    expect((await decisions({ decidedBy: 'policy' })).items).toEqual([])
    expect((await decisions({ point: 'settle_contradiction' })).items).toEqual(expected)
    expect((await decisions({ point: 'settle_scope' })).items).toEqual([])
    const nowhere = listDecisions(deps, tenant.caller, 'nowhere', { limit: 1, cursor: undefined })
    expect(await faultOf(nowhere)).toBe('scope_not_found')
  })
})

describe('new evidence', () => {
  it('opens it again: another document says what the other side said', async () => {
    const id = await uphold()
    await bureau.process([paper('c', 12)])
    const found = await only()
    expect(found).toMatchObject({
      contradictionId: id,
      status: 'open',
      resolution: { result: 'reopened', decidedBy: 'evidence', actor: null, by: null, documentIds: ['c'] },
    })
    expect((await logOf(database(), tenant)).at(-2)).toMatchObject({
      kind: 'contradiction.reopened',
      seq: found.resolution?.seq,
      data: {
        contradiction_id: id,
        decision_id: found.resolution?.decisionId,
        decided_by: 'evidence',
      },
    })
  })

  it('opens it again: another document says something else again', async () => {
    const id = await uphold()
    await bureau.process([paper('c', 14)])
    expect((await getContradiction(deps, tenant.caller, 'default', id)).status).toBe('open')
    expect((await between('EUR 10m', 'EUR 14m'))?.status).toBe('open')
  })

  it('opens it again: a document that agreed has changed its mind', async () => {
    await bureau.process([paper('a', 10), paper('a2', 10), paper('b', 12)])
    const found = await only()
    await settle(found.contradictionId, resolved(sideOf(found, 'EUR 10m')))
    await bureau.process([paper('a2', 12)])
    expect(await only()).toMatchObject({ status: 'open', resolution: { documentIds: ['a2'] } })
  })

  it('opens it again also when it was withdrawn meanwhile', async () => {
    const id = await uphold()
    await remove('b')
    await bureau.process([paper('c', 12)])
    expect(await only()).toMatchObject({ contradictionId: id, status: 'open' })
    expect((await told()).slice(-2)).toEqual(['contradiction.opened', 'contradiction.reopened'])
  })

  it('is evidence once: decided anew, it is known', async () => {
    const id = await uphold()
    await bureau.process([paper('c', 12)])
    await settle(id, resolved(sideOf(await only(), 'EUR 10m')))
    await remove('c')
    await bureau.process([paper('c', 12)])
    await bureau.process([paper('b', 12)])
    expect((await only()).status).toBe('resolved')
  })

  it('is what contradicts what was upheld, not what supports it or speaks of something else', async () => {
    await uphold()
    await bureau.process([paper('c', 10)])
    await bureau.process([paper('d', statement(12, 'Cassandra'))])
    expect((await only()).status).toBe('resolved')
  })

  it.each([
    ['dismissed', dismissed],
    ['resolved in favour of both', resolved('both')],
    ['resolved in favour of neither', resolved('neither')],
  ] as const)('changes nothing where it was %s', async (_, settlement) => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const { contradictionId } = await only()
    await settle(contradictionId, settlement)
    await bureau.process([paper('c', 12)])
    expect((await only()).status).toBe(settlement.outcome)
  })
})

describe('a scope over time', () => {
  it('counts what was opened, decided and opened again', async () => {
    const id = await uphold()
    await bureau.process([paper('c', 12)])
    await settle(id, dismissed)
    const { points } = await getScopeMetrics(deps, tenant.caller, 'default', {
      from: undefined,
      to: undefined,
      step: '1h',
    })
    const sum = (name: 'opened' | 'resolved' | 'dismissed' | 'reopened') =>
      points.reduce((total, { contradictions }) => total + contradictions[name], 0)
    expect([sum('opened'), sum('resolved'), sum('dismissed'), sum('reopened')]).toEqual([1, 1, 1, 1])
    await resetScope({ ...deps, masterKeys }, tenant.caller, 'default')
    const left = await look(database(), 'select from contradiction_periods where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(left).toEqual([])
  })
})
