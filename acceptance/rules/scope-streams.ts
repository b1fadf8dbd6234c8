/** The event stream of a scope, whoever opens it: every event of the log once, in order, from any position on. */
import { ResyncNotice } from '@concord/contract'
import { waitUntil } from '@concord/tools/launch'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, readLog, untilEvent } from '../events.ts'
import type { StreamedEvent } from '../events.ts'
import type { AcceptanceEventStream } from '../http/event-stream.ts'
import type { SubjectCall, Subject } from '../subject.ts'
import { withHeaders } from '../subject.ts'
import { theTarget } from '../target.ts'
import { attach, ingest, newDocumentId, register, trigger, untilEnded } from '../world/documents.ts'
import { createScope } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'

export interface ScopeStreams {
  readonly owner: () => Tenant
  /** A call that opens the stream of this scope. */
  readonly call: (scopeId: string) => SubjectCall
}

type From = { readonly after?: string; readonly lastEventId?: string }

export function describeScopeStreams(subject: Subject, streams: ScopeStreams): void {
  describeEvents(subject, streams)
  describeResuming(subject, streams)
  describeLive(subject, streams)
  describeResync(subject, streams)
  describePositions(subject, streams)
}

const seqsOf = (events: readonly StreamedEvent[]) => events.map(({ data }) => data.seq)
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

function opening(subject: Subject, { call }: ScopeStreams) {
  return async (
    scopeId: string,
    { after, lastEventId }: From,
    url?: string,
  ): Promise<AcceptanceEventStream> =>
    subject.open({
      ...withHeaders(call(scopeId), lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(after !== undefined && { query: `after=${after}` }),
      ...(url !== undefined && { url }),
    })
}

/** Until the event at this position, all before it included. */
async function readUpTo(stream: AcceptanceEventStream, last: number): Promise<readonly StreamedEvent[]> {
  return untilEvent(stream, `position ${last}`, ({ data }) => data.seq === last)
}

/** A scope with a story: one document attached and triggered, one ingested in two versions. */
async function scopeWithStory(owner: Tenant): Promise<{ scopeId: string; head: number }> {
  const { scope_id: scopeId } = await createScope(owner)
  const { document_id: attached } = await attach(owner, scopeId, { name: 'canary-name' })
  await trigger(owner, scopeId)
  await untilEnded(owner, scopeId, attached)
  const ingested = newDocumentId()
  for (const text of ['canary-text one.', 'canary-text two.']) {
    await ingest(owner, scopeId, { document_id: ingested, text, source: 'canary-source' })
    await untilEnded(owner, scopeId, ingested)
  }
  return { scopeId, head: (await readLog(owner, scopeId)).length + 1 }
}

function describeEvents(subject: Subject, streams: ScopeStreams): void {
  const open = opening(subject, streams)
  describe(`${subject.operation.name}: 200`, () => {
    let scopeId: string
    let head: number

    beforeAll(async () => {
      ;({ scopeId, head } = await scopeWithStory(streams.owner()))
    })

    it('is an event stream that begins by saying how soon to come back', async () => {
      using stream = await open(scopeId, {})
      expect(stream.status).toBe(200)
      await waitUntil(() => stream.frames().length > 0, { what: 'the first frame', withinMs: 5_000 })
      expect(stream.frames()[0]).toEqual({ retry: '3000' })
    })

    it('says where it begins, when nobody asked for a position', async () => {
      using stream = await open(scopeId, {})
      await waitUntil(() => stream.frames().length > 1, { what: 'the second frame', withinMs: 5_000 })
      expect(stream.frames()[1]).toEqual({ id: String(head) })
    })

    it.each(theTarget().urls)('shows the whole log after 0 at %s, without a gap', async (url) => {
      using stream = await open(scopeId, { after: '0' }, url)
      const events = await readUpTo(stream, head)
      expect(seqsOf(events)).toEqual(upTo(head))
      expect(events.map(({ id }) => id)).toEqual(upTo(head).map(String))
      expect(events.map(({ type }) => type)).toEqual([
        'scope.created',
        'document.attached',
        'document.queued',
        'document.processing',
        'document.processed',
        'convergence.changed',
        'document.queued',
        'document.processing',
        'document.processed',
        'document.queued',
        'document.processing',
        'document.superseded',
        'document.processed',
        'document.registered',
      ])
    })

    it('says of each event where it happened and to what', async () => {
      const { tenantId } = streams.owner()
      using stream = await open(scopeId, { after: '0' })
      for (const { source, subject: about, data } of await readUpTo(stream, head)) {
        expect(source).toBe(`/tenants/${tenantId}/scopes/${scopeId}`)
        expect(data).toMatchObject({ tenant_id: tenantId, scope_id: scopeId })
        expect(about).toBe(data.document_id ?? scopeId)
      }
    })

    it('tells times in the order of the log, and nothing that a document says', async () => {
      using stream = await open(scopeId, { after: '0' })
      const events = await readUpTo(stream, head)
      // A version is superseded in the same moment in which the next is processed.
      const times = events.filter(({ type }) => type !== 'document.superseded').map(({ time }) => time)
      expect(times.toSorted()).toEqual(times)
      expect(JSON.stringify(events)).not.toContain('canary')
    })
  })
}

function describeResuming(subject: Subject, streams: ScopeStreams): void {
  const open = opening(subject, streams)
  describe(`${subject.operation.name}: 200 from a position`, () => {
    let scopeId: string
    let head: number

    beforeAll(async () => {
      ;({ scopeId, head } = await scopeWithStory(streams.owner()))
    })

    it.each(['1', '2', '7', '12'])(
      'misses and repeats nothing after %s, however it is given',
      async (position) => {
        for (const from of [{ after: position }, { lastEventId: position }]) {
          using stream = await open(scopeId, from)
          expect(seqsOf(await readUpTo(stream, head))).toEqual(upTo(head, Number(position) + 1))
        }
      },
    )

    it('goes by Last-Event-ID where both are given', async () => {
      using stream = await open(scopeId, { after: '1', lastEventId: '9' })
      expect(seqsOf(await readUpTo(stream, head))).toEqual(upTo(head, 10))
    })

    it('shows nothing of what was after the head, and then what comes', async () => {
      using stream = await open(scopeId, { lastEventId: String(head) })
      await register(streams.owner(), scopeId)
      expect(seqsOf(await readUpTo(stream, head + 1))).toEqual([head + 1])
    })

    it('misses nothing after the seq of an accepted document', async () => {
      const { seq, document_id: documentId } = await ingest(streams.owner(), scopeId)
      using stream = await open(scopeId, { lastEventId: String(seq) })
      const events = await untilEvent(stream, 'the end', ({ type }) => type === 'document.processed')
      expect(events.map(({ type, subject: about }) => [type, about])).toEqual([
        ['document.processing', documentId],
        ['document.processed', documentId],
      ])
    })
  })
}

/** Documents that come at once. */
const BUSY = 20

function describeLive(subject: Subject, streams: ScopeStreams): void {
  const open = opening(subject, streams)
  const { owner } = streams
  describe(`${subject.operation.name}: 200 while things happen`, () => {
    it('is left and taken up again at other processes and has every event once', async () => {
      const { scope_id: scopeId } = await createScope(owner())
      const follow = async () => {
        const seen: StreamedEvent[] = []
        while (seen.filter(({ type }) => type === 'document.processed').length < BUSY) {
          using stream = await open(scopeId, { lastEventId: seen.at(-1)?.id ?? '0' })
          seen.push(...(await nextEvents(stream)))
        }
        return seen
      }
      const flow = Array.from({ length: BUSY }, () => ingest(owner(), scopeId))
      const [seen] = await Promise.all([follow(), ...flow])
      expect(seqsOf(seen)).toEqual(upTo(seen.length))
    })

    it('shows the same to all who follow, wherever they are', async () => {
      const { scope_id: scopeId } = await createScope(owner())
      using one = await open(scopeId, { after: '0' })
      using other = await open(scopeId, { after: '0' })
      await Promise.all(Array.from({ length: 5 }, () => ingest(owner(), scopeId)))
      expect(await readUpTo(one, 16)).toEqual(await readUpTo(other, 16))
    })

    it('shows without a position whatever happens from its answer on', async () => {
      const { scope_id: scopeId } = await createScope(owner())
      const [first = '', other = first] = theTarget().urls
      // Many at once, so that there is work between the answer to the first and whatever follows it.
      const opened: AcceptanceEventStream[] = []
      const opens = Array.from({ length: 200 }, async () => void opened.push(await open(scopeId, {}, first)))
      await Promise.race(opens)
      const answered = [...opened]
      await register(owner(), scopeId, {}, other)
      await Promise.all(opens)
      try {
        await expectTold(answered)
      } finally {
        for (const stream of opened) stream[Symbol.dispose]()
      }
    })
  })
}

async function expectTold(streams: readonly AcceptanceEventStream[]): Promise<void> {
  const untold = () => streams.filter((stream) => eventsOf(stream).length === 0).length
  await waitUntil(() => untold() === 0, { what: 'all being told', withinMs: 5_000 }).catch(() => undefined)
  expect(untold(), `of ${streams.length} streams were open and were not told`).toBe(0)
}

/** Some events, as many as have come when the first is there. */
async function nextEvents(stream: AcceptanceEventStream): Promise<readonly StreamedEvent[]> {
  return waitUntil(
    () => {
      const events = eventsOf(stream)
      return events.length > 0 && events
    },
    { what: 'another event', withinMs: 10_000, everyMs: 5 },
  )
}

function describeResync(subject: Subject, streams: ScopeStreams): void {
  const open = opening(subject, streams)
  describe(`${subject.operation.name}: 200 from a position that the log does not have`, () => {
    it.each(['2', '999999999999999'])(
      'says where the log ends instead of %s, once, and goes on',
      async (beyond) => {
        const { scope_id: scopeId } = await createScope(streams.owner())
        using stream = await open(scopeId, { lastEventId: beyond })
        await waitUntil(() => stream.frames().length > 1, { what: 'a notice', withinMs: 5_000 })
        const [, notice] = stream.frames()
        expect(notice).toMatchObject({ event: 'resync' })
        expect(ResyncNotice.parse(JSON.parse(notice?.data ?? ''))).toEqual({ head: 1 })
        await register(streams.owner(), scopeId)
        expect(seqsOf(await readUpTo(stream, 2))).toEqual([2])
        expect(stream.frames().filter(({ event }) => event === 'resync')).toHaveLength(1)
      },
    )
  })
}

function describePositions(subject: Subject, streams: ScopeStreams): void {
  const bad = ['-1', '+1', '1.5', '1e3', '0x1', '01', '', 'x', 'latest', '1000000000000000']
  describe(`${subject.operation.name}: 422`, () => {
    let call: SubjectCall

    beforeAll(async () => {
      call = streams.call((await createScope(streams.owner())).scope_id)
    })

    it.each(bad)('refuses the position %s, wherever it stands', async (position) => {
      const inQuery = await subject.call({ ...call, query: `after=${encodeURIComponent(position)}` })
      subject.expectProblem(inQuery, 'validation_failed', { pointers: ['query#/after'] })
      const inHeader = await subject.call(withHeaders(call, { 'last-event-id': position }))
      subject.expectProblem(inHeader, 'validation_failed', { pointers: ['header#/last-event-id'] })
    })

    it.each([
      ['after=1&after=2', 'after'],
      ['limit=1', 'limit'],
      ['lastEventId=1', 'lastEventId'],
    ])('refuses the query %s', async (query, parameter) => {
      const reply = await subject.call({ ...call, query })
      subject.expectProblem(reply, 'validation_failed', { pointers: [`query#/${parameter}`] })
    })
  })
}
