/** streamKernelEvents: an operator follows all scopes of all tenants, under its path and under the deprecated one. */
import { deprecationHeaders, operations } from '@concord/contract'
import type { DeprecatedAlias } from '@concord/contract'
import { waitUntil } from '@concord/tools/launch'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../events.ts'
import type { StreamedEvent } from '../../events.ts'
import type { AcceptanceEventStream } from '../../http/event-stream.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject, withHeaders } from '../../subject.ts'
import type { SubjectCall } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { ingest, newDocumentId, register, untilEnded } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('streamKernelEvents')
const { aliases = [] } = operations.streamKernelEvents
const scopeId = newScopeId()
let tenants: readonly [Tenant, Tenant]
/** A position, and everything that was told after it until both tenants had their story. */
let start: string
let told: readonly StreamedEvent[]

const good = () => ({ headers: bearer(theTarget().internalsKey) })
const from = (
  position: { readonly after?: string; readonly lastEventId?: string },
  more: Partial<SubjectCall> = {},
) => ({
  ...withHeaders(good(), position.lastEventId === undefined ? {} : { 'last-event-id': position.lastEventId }),
  ...(position.after !== undefined && { query: `after=${position.after}` }),
  ...more,
})

beforeAll(async () => {
  tenants = [await createTenant(), await createTenant()]
  for (const tenant of tenants) await createScope(tenant, scopeId)
  start = await findPosition()
  const documentIds = tenants.map(() => newDocumentId())
  for (const [index, tenant] of tenants.entries()) {
    const documentId = documentIds[index] ?? ''
    await ingest(tenant, scopeId, { document_id: documentId, name: 'canary-name', text: 'canary-text.' })
    await untilEnded(tenant, scopeId, documentId)
  }
  using stream = await subject.open(from({ after: start }))
  told = await waitUntil(
    () => {
      const own = ownOf(stream)
      const ended = new Set(
        own.filter(({ type }) => type === 'document.processed').map((event) => event.subject),
      )
      return documentIds.every((each) => ended.has(each)) && own
    },
    { what: 'the end of both stories', withinMs: 10_000 },
  )
})

/** Others use the service at the same time; what they do is in the stream too. */
function ownOf(stream: AcceptanceEventStream): readonly StreamedEvent[] {
  return eventsOf(stream).filter(
    ({ data }) => data.scope_id === scopeId && tenants.some(({ tenantId }) => tenantId === data.tenant_id),
  )
}

/** Where the stream is now. One mark may be made a moment too early for it, so there are as many as it takes. */
async function findPosition(): Promise<string> {
  using stream = await subject.open(good())
  await waitUntil(
    async () => {
      await register(tenants[0], scopeId)
      return eventsOf(stream).length > 0
    },
    { what: 'any event on the kernel stream', withinMs: 10_000 },
  )
  return eventsOf(stream).at(-1)?.position ?? ''
}

const nameOf = ({ source, id }: StreamedEvent) => `${source} ${id}`
const ofTenant = ({ tenantId }: Tenant) => told.filter(({ data }) => data.tenant_id === tenantId)

/** The story after its first events, the rest of it in one order for every reader. */
async function expectStory(stream: AcceptanceEventStream, skip = 0): Promise<void> {
  const rest = told.slice(skip)
  await waitUntil(() => ownOf(stream).length >= rest.length, { what: 'the story', withinMs: 10_000 })
  const seen = ownOf(stream).slice(0, rest.length)
  expect(seen.map(({ position }) => position)).toEqual(rest.map(({ position }) => position))
}

describe('streamKernelEvents: 200', () => {
  it('is an event stream that begins by saying how soon to come back', async () => {
    using stream = await subject.open(good())
    await waitUntil(() => stream.frames().length > 0, { what: 'the first frame', withinMs: 5_000 })
    expect(stream.frames()[0]).toEqual({ retry: '3000' })
    expect(Object.keys(stream.headers)).not.toContain('deprecation')
  })

  it('says where it begins, in a form that it takes back', async () => {
    using stream = await subject.open(good())
    await waitUntil(() => stream.frames().length > 1, { what: 'the second frame', withinMs: 5_000 })
    const { id = '', event } = stream.frames()[1] ?? {}
    expect(event).toBeUndefined()
    using again = await subject.open({ ...good(), query: `after=${id}` })
    expect(again.status).toBe(200)
  })

  it('shows the events of both tenants', () => {
    for (const tenant of tenants)
      expect(ofTenant(tenant).map(({ type }) => type)).toEqual(
        expect.arrayContaining(['document.queued', 'document.processing', 'document.processed']),
      )
  })

  it('names no event twice', () => {
    expect(new Set(told.map(nameOf)).size).toBe(told.length)
    expect(new Set(told.map(({ position }) => position)).size).toBe(told.length)
  })

  it('tells what happened one after the other in that order, without a gap', () => {
    for (const tenant of tenants) {
      const [first = 0, ...rest] = ofTenant(tenant).map(({ data }) => data.seq)
      expect(rest).toEqual(rest.map((_, index) => first + 1 + index))
    }
  })

  it('tells where each happened, and nothing that a document says', () => {
    for (const { source, data } of told)
      expect(source).toContain(`/tenants/${data.tenant_id}/scopes/${data.scope_id}`)
    expect(JSON.stringify(told)).not.toContain('canary')
  })

  it('shows the same at every process', async () => {
    for (const url of theTarget().urls) {
      using stream = await subject.open(from({ after: start }, { url }))
      await expectStory(stream)
    }
  })
})

describe('streamKernelEvents: 200 from a position', () => {
  it.each([0, 1, 4])('misses and repeats nothing after event %s, however it is given', async (place) => {
    const id = told[place]?.position ?? ''
    for (const position of [{ after: id }, { lastEventId: id }]) {
      using stream = await subject.open(from(position))
      await expectStory(stream, place + 1)
    }
  })

  it('goes by Last-Event-ID where both are given', async () => {
    using stream = await subject.open(from({ after: start, lastEventId: told[2]?.position ?? '' }))
    await expectStory(stream, 3)
  })
})

describe('streamKernelEvents: 200 while things happen', () => {
  /** The sequence numbers that the stream told of one busy scope, left and taken up again all the time. */
  let own: readonly number[]
  const BUSY = 24

  beforeAll(async () => {
    const [tenant] = tenants
    const { scope_id: busy } = await createScope(tenant)
    const position = await findPosition()
    // Each in a transaction of its own, so that many of them wait for the same scope at once.
    const flow = Array.from({ length: BUSY }, (_, index) =>
      register(tenant, busy, {}, theTarget().urls[index % theTarget().urls.length]),
    )
    const [seqs] = await Promise.all([followScope(tenant, busy, position), ...flow])
    own = seqs
  })

  async function followScope(
    { tenantId }: Tenant,
    busy: string,
    position: string,
  ): Promise<readonly number[]> {
    const seqs: number[] = []
    let last = position
    while (seqs.length < BUSY) {
      using stream = await subject.open(from({ lastEventId: last }))
      await waitUntil(() => eventsOf(stream).length > 0, { what: 'another event', withinMs: 10_000 })
      const events = eventsOf(stream)
      last = events.at(-1)?.position ?? last
      const here = events.filter(({ data }) => data.tenant_id === tenantId && data.scope_id === busy)
      seqs.push(...here.map(({ data }) => data.seq))
    }
    return seqs
  }

  it('has every event once, and in the order of the scope', () => {
    expect(own).toEqual(Array.from({ length: BUSY }, (_, index) => 2 + index))
  })
})

describe('streamKernelEvents: 422', () => {
  const malformed = ['A', 'a b', 'ü', '', '1'.repeat(201)]
  const invented = ['x', '1', '1.2.3.4', 'latest', '..', '-']

  it.each([...malformed, ...invented])('refuses %j as a position', async (position) => {
    const reply = await subject.call(from({ after: encodeURIComponent(position) }))
    subject.expectProblem(reply, 'validation_failed', { pointers: ['query#/after'] })
  })

  it.each([...malformed.filter((each) => each !== 'ü'), ...invented])(
    'refuses %j as Last-Event-ID, and says that it stands there',
    async (position) => {
      const reply = await subject.call(from({ lastEventId: position }))
      subject.expectProblem(reply, 'validation_failed', { pointers: ['header#/last-event-id'] })
    },
  )

  it('refuses a position of its own that was cut short', async () => {
    const [tenant] = told.map(({ position }) => position.split('.')[0])
    const reply = await subject.call(from({ after: tenant ?? '' }))
    subject.expectProblem(reply, 'validation_failed', { pointers: ['query#/after'] })
  })

  it.each(['limit', 'tenant_id', 'scope_id'])('refuses the parameter %s', async (parameter) => {
    const reply = await subject.call({ ...good(), query: `${parameter}=1` })
    subject.expectProblem(reply, 'validation_failed', { pointers: [`query#/${parameter}`] })
  })
})

function describeAlias(alias: DeprecatedAlias): void {
  const headers = Object.entries(deprecationHeaders(operations.streamKernelEvents, alias))
  const old = (call: SubjectCall) => ({ ...call, path: alias.path })
  const expectDeprecated = (actual: Readonly<Record<string, string>>) => {
    for (const [name, value] of headers) expect(actual[name.toLowerCase()]).toBe(value)
  }
  describe(`streamKernelEvents under the deprecated ${alias.path}`, () => {
    it('shows the same, and says since when it is deprecated, until when it works, and what to use', async () => {
      using stream = await subject.open(old(from({ after: start })))
      await expectStory(stream)
      expectDeprecated(stream.headers)
    })

    it('resumes by Last-Event-ID', async () => {
      using stream = await subject.open(old(from({ lastEventId: told[3]?.position ?? '' })))
      await expectStory(stream, 4)
    })

    it('says so with a problem, too', async () => {
      const refused = [old(from({ after: 'A' })), old({}), old({ headers: bearer(theTarget().adminKey) })]
      const replies = await Promise.all(refused.map((call) => subject.call(call)))
      expect(replies.map(({ status }) => status)).toEqual([422, 401, 403])
      for (const reply of replies) expectDeprecated(reply.headers)
    })

    describePlatformEntrance(subject, () => old(good()))
  })
}

describe('streamKernelEvents: aliases', () => {
  it('has one', () => {
    expect(aliases.map(({ path }) => path)).toEqual(['/internals/events'])
  })
})

for (const alias of aliases) describeAlias(alias)
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
