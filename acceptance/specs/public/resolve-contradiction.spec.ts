/** resolveContradiction: a person says what became of a contradiction, and why. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../events.ts'
import { sameForAll } from '../../problem-document.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { contradictionsOf, REVENUES, tell } from '../../world/claims.ts'
import type { Contradiction } from '../../world/claims.ts'
import { decisionsOf, DISMISSED, openOne, REOPENED } from '../../world/decisions.ts'
import { remove } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('resolveContradiction')
const scopeId = newScopeId()
let tenant: Tenant
/** Dismissed by the first good call; the others repeat it. */
let found: Contradiction

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  found = await openOne(tenant, scopeId)
})

const ask = (contradictionId: string, body: unknown = DISMISSED, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope, contradictionId },
  body,
})
const good = () => ask(found.contradiction_id)
const decide = async ({ contradiction_id: id, scope_id: scope }: Contradiction, body: unknown) =>
  subject.expectAnswer(await subject.call(ask(id, body, scope)), 200)
const refuse = async ({ contradiction_id: id, scope_id: scope }: Contradiction, body: unknown) =>
  subject.expectProblem(await subject.call(ask(id, body, scope)), 'illegal_transition')
const another = async () => openOne(tenant, (await createScope(tenant)).scope_id)
const kindsOf = async (scope: string) =>
  (await readLog(tenant, scope)).map(({ type }) => type).filter((type) => type.startsWith('contradiction.'))
/** The side whose words these are. */
const sideOf = ({ a }: Contradiction, text: string) => (a.quote === text ? 'a' : 'b')

describe('resolveContradiction: 200', () => {
  it('resolves with a reason and a person, and shows what was decided with the contradiction', async () => {
    const open = await another()
    const body = { outcome: 'resolved', holds: 'b', by: 'Jo Doe 💠', reason: 'The audited figure.' }
    const closed = await decide(open, body)
    expect(closed).toEqual({
      ...open,
      status: 'resolved',
      updated_at: expect.any(String),
      resolution: {
        ...body,
        decided_by: 'person',
        actor: tenant.key.slice(0, closed.resolution?.actor?.length),
        decision_id: expect.any(String),
        decided_at: expect.any(String),
      },
    })
    expect(closed.resolution?.actor?.length).toBeLessThan(tenant.key.length / 2)
    expect(await contradictionsOf(tenant, open.scope_id)).toEqual([closed])
    expect(await contradictionsOf(tenant, open.scope_id, 'status=open')).toEqual([])
  })

  it('names no person where none was named', async () => {
    expect((await decide(await another(), DISMISSED)).resolution).toMatchObject({ by: null, holds: null })
  })

  it('tells of it without a name or a reason', async () => {
    const open = await another()
    await decide(open, { outcome: 'resolved', holds: 'a', by: 'Jo Doe', reason: 'For good.' })
    const event = (await readLog(tenant, open.scope_id)).findLast(
      ({ type }) => type !== 'convergence.changed',
    )
    expect(event).toMatchObject({
      type: 'contradiction.resolved',
      subject: open.contradiction_id,
      data: { contradiction_id: open.contradiction_id, decided_by: 'person', holds: 'a' },
    })
    expect(JSON.stringify(event)).not.toMatch(/Jo Doe|For good/)
  })

  it('goes there and back, and keeps the history', async () => {
    const open = await another()
    await decide(open, DISMISSED)
    await decide(open, REOPENED)
    await decide(open, { outcome: 'resolved', holds: 'both', reason: 'Compatible.' })
    const history = await decisionsOf(tenant, open.scope_id, `contradiction_id=${open.contradiction_id}`)
    expect(history.map(({ result }) => result)).toEqual(['resolved', 'reopened', 'dismissed'])
    expect(await kindsOf(open.scope_id)).toEqual([
      'contradiction.opened',
      'contradiction.dismissed',
      'contradiction.reopened',
      'contradiction.resolved',
    ])
  })

  it('answers the very same again as before, and decides nothing twice', async () => {
    const open = await another()
    expect(await decide(open, DISMISSED)).toEqual(await decide(open, DISMISSED))
    expect(await decisionsOf(tenant, open.scope_id, 'decided_by=person')).toHaveLength(1)
  })
})

describe('resolveContradiction: 200, and what documents make of it later', () => {
  it('stays when a document is sent again, and when it was withdrawn and is found again', async () => {
    const open = await another()
    await decide(open, { outcome: 'resolved', holds: 'a', reason: 'So it is.' })
    const { document_id: id, quote } = open.b
    await tell(tenant, open.scope_id, `Once more.\n\n${quote}`, id ?? '')
    expect(await contradictionsOf(tenant, open.scope_id)).toMatchObject([{ status: 'resolved' }])
    await remove(tenant, open.scope_id, id ?? '')
    expect(await contradictionsOf(tenant, open.scope_id)).toEqual([])
    await tell(tenant, open.scope_id, quote, id ?? '')
    expect(await contradictionsOf(tenant, open.scope_id)).toMatchObject([
      { status: 'resolved', contradiction_id: open.contradiction_id, resolution: { reason: 'So it is.' } },
    ])
  })

  it('is open again when another document contradicts the side that was upheld', async () => {
    const open = await another()
    await decide(open, { outcome: 'resolved', holds: sideOf(open, REVENUES[0]), reason: 'So it is.' })
    const evidence = await tell(tenant, open.scope_id, REVENUES[1])
    expect(await contradictionsOf(tenant, open.scope_id)).toMatchObject([
      {
        status: 'open',
        resolution: { outcome: 'reopened', decided_by: 'evidence', actor: null, reason: null },
      },
    ])
    const [newest] = await decisionsOf(tenant, open.scope_id)
    expect(newest).toMatchObject({ result: 'reopened', decided_by: 'evidence', document_ids: [evidence] })
    expect((await kindsOf(open.scope_id)).at(-1)).toBe('contradiction.reopened')
  })

  it('stays when another document agrees with it, and after a dismissal', async () => {
    const [open, none] = [await another(), await another()]
    await decide(open, { outcome: 'resolved', holds: sideOf(open, REVENUES[0]), reason: 'So it is.' })
    await tell(tenant, open.scope_id, REVENUES[0])
    expect(await contradictionsOf(tenant, open.scope_id)).toMatchObject([{ status: 'resolved' }])
    await decide(none, DISMISSED)
    await tell(tenant, none.scope_id, REVENUES[1])
    expect(await contradictionsOf(tenant, none.scope_id)).toMatchObject([{ status: 'dismissed' }])
  })
})

describe('resolveContradiction: 409', () => {
  it('opens nothing that is open, and decides nothing that is decided', async () => {
    const open = await another()
    await refuse(open, REOPENED)
    await decide(open, DISMISSED)
    await refuse(open, { ...DISMISSED, reason: 'Another.' })
    await refuse(open, { ...DISMISSED, by: 'Somebody' })
    await refuse(open, { outcome: 'resolved', holds: 'a', reason: DISMISSED.reason })
    expect(await kindsOf(open.scope_id)).toEqual(['contradiction.opened', 'contradiction.dismissed'])
  })
})

describe('resolveContradiction: 404', () => {
  it('does not know one that is not there, nor that of another tenant, in the same words', async () => {
    const other = await createTenant()
    await createScope(other, scopeId)
    const foreign = await openOne(other, scopeId)
    const replies = [
      await subject.call(ask(randomUUID())),
      await subject.call(ask(foreign.contradiction_id)),
      await subject.call(ask(found.contradiction_id, DISMISSED, (await createScope(tenant)).scope_id)),
    ]
    for (const reply of replies) subject.expectProblem(reply, 'contradiction_not_found')
    expect(new Set(replies.map((reply) => JSON.stringify(sameForAll(reply)))).size).toBe(1)
    expect(await contradictionsOf(other, scopeId)).toEqual([foreign])
  })
})

describe('resolveContradiction: 422', () => {
  it.each([
    [{ outcome: 'resolved', reason: 'x' }],
    [{ outcome: 'dismissed', holds: 'a', reason: 'x' }],
    [{ outcome: 'dismissed' }],
    [{ outcome: 'dismissed', reason: '' }],
    [{ outcome: 'dismissed', reason: 'x'.repeat(2001) }],
    [{ outcome: 'dismissed', reason: 'x', by: '' }],
    [{ outcome: 'closed', reason: 'x' }],
  ])('refuses %j', async (body) => {
    subject.expectProblem(await subject.call(ask(found.contradiction_id, body)), 'validation_failed')
  })
})

describeScopePlace(subject, (scope) => ask(found.contradiction_id, DISMISSED, scope))
describeParams(subject, good, 'scopeId', 'contradictionId')
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
const openCall = async () => {
  const { contradiction_id: id, scope_id: scope } = await another()
  return ask(id, DISMISSED, scope)
}
describeReplay(subject, openCall, changeBody({ reason: 'Another reason.' }))
describeEveryOperation(subject, good)
describeCompleteness(subject)
