/** A scope at a glance: what it tells at every turn, and to whom it spares the body. */
import type { operations } from '@concord/contract'
import type { AnswerOf } from '@concord/contract'
import { waitUntil } from '@concord/tools/launch'
import { describe, expect, it } from 'vitest'
import { readLog } from '../events.ts'
import { withHeaders } from '../subject.ts'
import type { SubjectCall, Subject } from '../subject.ts'
import { theTarget } from '../target.ts'
import {
  attach,
  ingest,
  newDocumentId,
  register,
  remove,
  trigger,
  untilAllEnded,
} from '../world/documents.ts'
import { claimsOf, contradict, contradictionsOf, HEADCOUNTS, REVENUES } from '../world/claims.ts'
import { bringTo, move, scopeSwitch, tenantSwitch } from '../world/runtime.ts'
import { createScope, createTenant } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'

type Summary = AnswerOf<typeof operations.getScopeSummary>['body']

/** How one asks about a scope in the name of its tenant. */
export type AskOf = (tenant: Tenant, scopeId: string) => SubjectCall

const INSTANT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

export const NO_DOCUMENTS = {
  registered: 0,
  attached: 0,
  queued: 0,
  processing: 0,
  processed: 0,
  held: 0,
  failed: 0,
  superseded: 0,
  removed: 0,
}

const NO_CONTRADICTIONS = {
  total: 0,
  by_status: { open: 0, resolved: 0, dismissed: 0 },
  by_severity: { low: 0, medium: 0, high: 0, critical: 0 },
  by_relation: { conflict: 0, restatement: 0, change: 0 },
  by_kind: {
    money: 0,
    percent: 0,
    count: 0,
    measure: 0,
    ratio: 0,
    date: 0,
    duration: 0,
    version: 0,
    level: 0,
    status: 0,
    existence: 0,
    identity: 0,
    reported: 0,
  },
  newest: [],
}

const NOTHING_READ = {
  characters: 0,
  characters_read: 0,
  documents_with_gaps: 0,
  claims: 0,
  claims_compared: 0,
  left_out: { groups: 0, claims: 0, findings: 0 },
}

const EMPTY = {
  score: 0,
  state: 'empty',
  parts: { coverage: 0, agreement: 1, resolution: 1, stability: 1 },
  claims: 0,
  claims_compared: 0,
  comparisons_pending: 0,
  comparisons_held: { not_permitted: 0, over_budget: 0 },
  blockers: [],
  blockers_total: 0,
}

export function describeSummary(subject: Subject, ask: AskOf): void {
  const read = async (tenant: Tenant, scopeId: string) =>
    subject.expectForm(await subject.call(ask(tenant, scopeId)), 200) as Summary
  describeContent(subject, read)
  describeFindings(subject, ask, read)
  describeRuntime(subject, read)
  describeTags(subject, ask, read)
}

type Read = (tenant: Tenant, scopeId: string) => Promise<Summary>

function describeContent({ operation: { name } }: Subject, read: Read): void {
  describe(`${name}: 200`, () => {
    it('tells of a new scope that nothing is in it', async () => {
      const tenant = await createTenant()
      const made = await createScope(tenant, 'new', 'Acme: purchase of Borealis')
      expect(await read(tenant, 'new')).toEqual({
        ...made,
        runtime: { own: 'running', effective: 'running', generation: 0 },
        documents: { total: 0, by_status: NO_DOCUMENTS, oldest_queued_at: null },
        claims: { total: 0 },
        reading: NOTHING_READ,
        contradictions: NO_CONTRADICTIONS,
        convergence: EMPTY,
        log_head: 1,
        last_activity_at: INSTANT,
      })
    })

    it('counts every document where it stands', async () => {
      const tenant = await createTenant()
      const { scope_id: scopeId } = await createScope(tenant)
      await register(tenant, scopeId)
      await attach(tenant, scopeId)
      const removed = newDocumentId()
      await ingest(tenant, scopeId, { document_id: removed })
      for (let times = 0; times < 3; times += 1) await ingest(tenant, scopeId)
      await untilAllEnded(tenant, scopeId)
      await remove(tenant, scopeId, removed)
      const { documents, log_head: head, last_activity_at: last } = await read(tenant, scopeId)
      expect(documents).toEqual({
        total: 6,
        by_status: { ...NO_DOCUMENTS, registered: 1, attached: 1, processed: 3, removed: 1 },
        oldest_queued_at: null,
      })
      const log = await readLog(tenant, scopeId)
      expect([head, last]).toEqual([log.at(-1)?.data.seq, log.at(-1)?.time])
    })

    it('counts a document once however many versions it has', async () => {
      const tenant = await createTenant()
      const { scope_id: scopeId } = await createScope(tenant)
      const documentId = newDocumentId()
      for (const text of ['One.', 'Two.', 'Three.']) {
        await ingest(tenant, scopeId, { document_id: documentId, text })
        await untilAllEnded(tenant, scopeId)
      }
      const { documents } = await read(tenant, scopeId)
      expect(documents).toMatchObject({ total: 1, by_status: { processed: 1, superseded: 0 } })
    })

    it('says how many wait and since when, and forgets it when they are done', async () => {
      const tenant = await createTenant()
      const { scope_id: scopeId } = await createScope(tenant)
      const held = scopeSwitch(tenant, scopeId)
      await bringTo(held, 'paused')
      await attach(tenant, scopeId)
      await trigger(tenant, scopeId)
      const first = await read(tenant, scopeId)
      expect(first.documents).toMatchObject({ by_status: { queued: 1 }, oldest_queued_at: INSTANT })
      await ingest(tenant, scopeId)
      const { documents } = await read(tenant, scopeId)
      expect(documents.by_status.queued).toBe(2)
      expect(documents.oldest_queued_at).toBe(first.documents.oldest_queued_at)
      await move(held, 'resume')
      await untilAllEnded(tenant, scopeId)
      expect((await read(tenant, scopeId)).documents).toMatchObject({
        by_status: { queued: 0, processing: 0, processed: 2 },
        oldest_queued_at: null,
      })
    })
  })
}

function describeFindings(subject: Subject, ask: AskOf, read: Read): void {
  describe(`${subject.operation.name}: claims and contradictions`, () => {
    it('counts them, shows the newest, and forgets what is withdrawn', async () => {
      const tenant = await createTenant()
      const { scope_id: scopeId } = await createScope(tenant)
      await contradict(tenant, scopeId, HEADCOUNTS)
      const [, other] = await contradict(tenant, scopeId, REVENUES)
      const all = await contradictionsOf(tenant, scopeId)
      const { claims, contradictions } = await read(tenant, scopeId)
      expect(claims.total).toBe((await claimsOf(tenant, scopeId)).length)
      expect(contradictions).toMatchObject({
        total: 2,
        by_status: { open: 2, resolved: 0, dismissed: 0 },
        by_relation: { conflict: 2, restatement: 0, change: 0 },
        by_kind: { ...NO_CONTRADICTIONS.by_kind, money: 1, count: 1 },
      })
      expect(Object.values(contradictions.by_severity).reduce((sum, count) => sum + count)).toBe(2)
      expect(contradictions.newest).toEqual(all)
      const tag = (await subject.call(ask(tenant, scopeId))).headers['etag'] ?? ''
      await remove(tenant, scopeId, other)
      const call = withHeaders(ask(tenant, scopeId), { 'if-none-match': tag })
      const left = subject.expectForm(await subject.call(call), 200) as Summary
      expect(left.contradictions).toMatchObject({ total: 1, by_kind: { money: 0, count: 1 } })
      expect(left.contradictions.newest).toEqual(all.filter(({ kind }) => kind === 'count'))
    })
  })
}

function describeRuntime({ operation: { name } }: Subject, read: Read): void {
  describe(`${name}: runtime`, () => {
    it('shows the switch of the scope, and the strictest of all', async () => {
      const tenant = await createTenant()
      const { scope_id: scopeId } = await createScope(tenant)
      const [own, above] = [scopeSwitch(tenant, scopeId), tenantSwitch(tenant)]
      const runtime = async () => (await read(tenant, scopeId)).runtime
      await move(own, 'pause')
      expect(await runtime()).toEqual({ own: 'paused', effective: 'paused', generation: 0 })
      await move(above, 'stop')
      expect(await runtime()).toEqual({ own: 'paused', effective: 'stopped', generation: 0 })
      await move(own, 'restart')
      expect(await runtime()).toEqual({ own: 'running', effective: 'stopped', generation: 1 })
      await move(above, 'start')
      expect(await runtime()).toEqual({ own: 'running', effective: 'running', generation: 1 })
    })
  })
}

function describeTags(subject: Subject, ask: AskOf, read: Read): void {
  const tagOf = async (call: SubjectCall) => (await subject.call(call)).headers['etag'] ?? ''
  describe(`${subject.operation.name}: 304`, () => {
    it('spares the body who has it, at every process, for as long as nothing happens', async () => {
      const tenant = await createTenant()
      const { scope_id: scopeId } = await createScope(tenant)
      await bringTo(scopeSwitch(tenant, scopeId), 'paused')
      await ingest(tenant, scopeId)
      const call = ask(tenant, scopeId)
      const tag = await tagOf(call)
      for (const url of theTarget().urls) {
        const reply = await subject.call({ ...withHeaders(call, { 'if-none-match': tag }), url })
        expect(reply).toMatchObject({ status: 304, text: '' })
        expect(reply.headers['etag']).toBe(tag)
      }
    })

    it('shows all again once something has happened', async () => {
      const tenant = await createTenant()
      const { scope_id: scopeId } = await createScope(tenant)
      const call = ask(tenant, scopeId)
      const tag = await tagOf(call)
      await register(tenant, scopeId)
      const reply = await subject.call(withHeaders(call, { 'if-none-match': tag }))
      expect(reply.status).toBe(200)
      expect(reply.headers['etag']).not.toBe(tag)
    })

    it('follows a scope to its end by its tag alone', async () => {
      const tenant = await createTenant()
      const { scope_id: scopeId } = await createScope(tenant)
      await ingest(tenant, scopeId)
      const end = await waitUntil(
        async () => {
          const summary = await read(tenant, scopeId)
          return summary.documents.by_status.processed === 1 && summary
        },
        { what: 'the document being processed', withinMs: 12_000 },
      )
      const call = withHeaders(ask(tenant, scopeId), { 'if-none-match': await tagOf(ask(tenant, scopeId)) })
      expect((await subject.call(call)).status).toBe(304)
      expect(await read(tenant, scopeId)).toEqual(end)
    })
  })
}
