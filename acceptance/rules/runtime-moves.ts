/** The table of moves, the same at every level; and what a move means for work and for the log. */
import { describe, expect, it } from 'vitest'
import { readLog } from '../events.ts'
import type { Reply } from '../http/exchange.ts'
import type { Subject } from '../subject.ts'
import { ingest, newDocumentId, readDocument, untilEnded } from '../world/documents.ts'
import { bringTo, move, scopeSwitch, tenantSwitch } from '../world/runtime.ts'
import type { Op, Runtime, SwitchState, SwitchTarget } from '../world/runtime.ts'
import { createScope, createTenant } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'

/** Any of the ten: they all answer alike. */
export interface MoveSubject extends Subject {
  expectAnswer(reply: Reply, status: 200): Runtime
}

/** Where a move leads from each state; undefined where it is refused. */
const table: Readonly<Record<Op, Readonly<Record<SwitchState, SwitchState | undefined>>>> = {
  start: { stopped: 'running', running: 'running', paused: 'running' },
  pause: { stopped: undefined, running: 'paused', paused: 'paused' },
  resume: { stopped: undefined, running: 'running', paused: 'running' },
  stop: { stopped: 'stopped', running: 'stopped', paused: 'stopped' },
  restart: { stopped: 'running', running: 'running', paused: 'running' },
}

const states: readonly SwitchState[] = ['stopped', 'running', 'paused']

/** `fresh` is a switch that nobody else moves. */
export function describeMoves(
  subject: MoveSubject,
  op: Op,
  level: SwitchTarget['level'],
  fresh: () => SwitchTarget | Promise<SwitchTarget>,
): void {
  const { name } = subject.operation
  const allowed = states.filter((state) => table[op][state] !== undefined)
  const refused = states.filter((state) => table[op][state] === undefined)
  const raises = op === 'restart'

  describe(`${name}: 200 at the level of the ${level}`, () => {
    it.each(allowed)(`leads from %s to where the table says`, async (from) => {
      const which = await fresh()
      const before = await bringTo(which, from)
      const to = table[op][from] ?? from
      const after = subject.expectAnswer(await subject.call(which.call), 200)
      expect(after).toMatchObject({
        level,
        tenant_id: which.tenantId,
        scope_id: which.scopeId,
        state: to,
        changed: raises || from !== to,
        generation: before.generation + (raises ? 1 : 0),
      })
      // A switch that did not move says so with who moved it before, and when.
      expect(after).toMatchObject(
        after.changed ? {} : { ...before, changed: false, in_flight: after.in_flight },
      )
    })

    it('says who moved it and when, and nothing of the key', async () => {
      const which = await fresh()
      await bringTo(which, op === 'resume' ? 'paused' : op === 'start' ? 'stopped' : 'running')
      const after = subject.expectAnswer(await subject.call(which.call), 200)
      expect(after.changed_by).toMatch(/^ck_[ai]_\w{10}$/)
      expect(Math.abs(Date.now() - Date.parse(after.changed_at ?? ''))).toBeLessThan(60_000)
    })
  })
  if (refused.length > 0) describeRefused(subject, level, refused, fresh)
}

function describeRefused(
  subject: MoveSubject,
  level: SwitchTarget['level'],
  refused: readonly SwitchState[],
  fresh: () => SwitchTarget | Promise<SwitchTarget>,
): void {
  describe(`${subject.operation.name}: 409 at the level of the ${level}`, () => {
    it.each(refused)('is refused while %s, and changes nothing', async (from) => {
      const which = await fresh()
      const before = await bringTo(which, from)
      subject.expectProblem(await subject.call(which.call), 'illegal_transition')
      // Asked for where it stands already: this answers without moving it.
      expect(await move(which, 'stop')).toEqual({ ...before, changed: false, in_flight: 0 })
    })
  })
}

/** Describes the entries in the log of the scope about a move that changed something, and of one that did not. */
export function describeToldMove(
  subject: MoveSubject,
  op: Op,
  owner: () => Tenant,
  tier: SwitchTarget['tier'],
): void {
  describe(`${subject.operation.name}: the log of the scope`, () => {
    it('tells of a move once, and not at all of one that changed nothing', async () => {
      const { scope_id: scopeId } = await createScope(owner())
      const which = scopeSwitch(owner(), scopeId, tier)
      await bringTo(which, op === 'stop' || op === 'pause' || op === 'restart' ? 'running' : 'paused')
      const before = (await readLog(owner(), scopeId)).filter(({ type }) => type === 'runtime.changed')
      const answers: Runtime[] = []
      for (let times = 0; times < 2; times += 1)
        answers.push(subject.expectAnswer(await subject.call(which.call), 200))
      const told = (await readLog(owner(), scopeId)).filter(({ type }) => type === 'runtime.changed')
      const wanted = answers.filter(({ changed }) => changed)
      expect(wanted.length).toBe(op === 'restart' ? 2 : 1)
      expect(told.slice(before.length).map(({ subject: about, data }) => [about, data])).toEqual(
        wanted.map(({ state, effective_state, generation }) => [
          scopeId,
          {
            tenant_id: owner().tenantId,
            scope_id: scopeId,
            epoch: 0,
            seq: expect.any(Number),
            level: 'scope',
            state,
            effective_state,
            generation,
          },
        ]),
      )
    })
  })
}

/** Describes the effect of a switch that stands still on the documents of its scope, and each move that lets them go. */
export function describeHeldScope(subject: MoveSubject, releases: readonly Op[]): void {
  describe(`${subject.operation.name}: work`, () => {
    it.each(releases)('waits in that scope and goes on in others, until %s lets it run', async (release) => {
      const tenant = await createTenant()
      const [{ scope_id: scopeId }, { scope_id: running }] = [
        await createScope(tenant),
        await createScope(tenant),
      ]
      subject.expectAnswer(await subject.call(scopeSwitch(tenant, scopeId).call), 200)
      const documentId = await expectWaiting(tenant, scopeId, { tenant, scopeId: running })
      await move(scopeSwitch(tenant, scopeId), release)
      const document = await untilEnded(tenant, scopeId, documentId)
      expect(document).toMatchObject({ status: 'processed', attempt: 1 })
    })
  })
}

/** The same of a tenant. */
export function describeHeldTenant(subject: MoveSubject, effective: SwitchState): void {
  describe(`${subject.operation.name}: work`, () => {
    it('waits in every scope of the tenant, whatever the scope says, and goes on for others', async () => {
      const [tenant, other] = [await createTenant(), await createTenant()]
      const [{ scope_id: scopeId }, { scope_id: running }] = [
        await createScope(tenant),
        await createScope(other),
      ]
      subject.expectAnswer(await subject.call(tenantSwitch(tenant).call), 200)
      // The strictest switch wins: that of the scope alone lets nothing run.
      expect(await move(scopeSwitch(tenant, scopeId), 'restart')).toMatchObject({
        state: 'running',
        effective_state: effective,
      })
      const documentId = await expectWaiting(tenant, scopeId, { tenant: other, scopeId: running })
      await move(tenantSwitch(tenant), 'start')
      expect((await untilEnded(tenant, scopeId, documentId)).status).toBe('processed')
      expect(await move(scopeSwitch(tenant, scopeId), 'start')).toMatchObject({ effective_state: 'running' })
    })
  })
}

/** Under a switch that stands still documents are accepted, wait, and are read when it is let go. */
async function expectWaiting(
  tenant: Tenant,
  scopeId: string,
  bystander: { readonly tenant: Tenant; readonly scopeId: string },
): Promise<string> {
  const documentId = newDocumentId()
  await ingest(tenant, scopeId, { document_id: documentId })
  // By the time a later one elsewhere is done, this one would have been.
  const later = newDocumentId()
  await ingest(bystander.tenant, bystander.scopeId, { document_id: later })
  expect((await untilEnded(bystander.tenant, bystander.scopeId, later)).status).toBe('processed')
  expect(await readDocument(tenant, scopeId, documentId)).toMatchObject({ status: 'queued', attempt: 0 })
  return documentId
}
