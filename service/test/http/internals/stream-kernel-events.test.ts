import { beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { streamKernelEvents } from '../../../src/http/internals/stream-kernel-events.ts'
import type { EventFrame, EventSource, RouteInput, PositionFrame } from '../../../src/http/route.ts'
import type { Operation } from '@concord/contract'
import { DEADLINE_MS } from '../../../src/http/deadline.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, newDocument } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})

const input: RouteInput<Operation, unknown> = {
  who: { tier: 'internals', actor: 'ck_i_x' },
  requestId: 'r',
  answerBy: Infinity,
  params: undefined,
  query: {},
  body: undefined,
  headers: {},
}

describe('the operator’s stream without a position', () => {
  it('carries everything that happens once it is answered', async () => {
    const { body } = await streamKernelEvents({ pools: pools() }).answer(input)
    // The answer is on its way to the operator, who now does something and wants to see it.
    await acceptOne(pools().tenant, newDocument(tenant, { documentId: 'after' }))
    const stop = new AbortController()
    const sent: (EventFrame | PositionFrame)[] = []
    const source = body as EventSource
    const streaming = source({ signal: stop.signal, send: async (frames) => void sent.push(...frames) })
    await waitUntil(() => sent.length > 1, { what: 'the event', withinMs: 5_000 }).catch(() => undefined)
    stop.abort()
    await streaming
    expect(sent[0]).toEqual({ id: expect.stringMatching(/^\d+\./) })
    expect(sent).toContainEqual(expect.objectContaining({ event: 'document.queued' }))
  })

  it('is answered before the deadline of a request while a transaction writes for longer', async () => {
    await asRole(database(), 'kernel', async (session) => {
      await session.query('begin; select pg_current_xact_id()')
      const since = performance.now()
      const { body } = await streamKernelEvents({ pools: pools() }).answer(input)
      expect(performance.now() - since).toBeLessThan(DEADLINE_MS - 1_000)
      const stop = new AbortController()
      const sent: (EventFrame | PositionFrame)[] = []
      const source = body as EventSource
      const streaming = source({ signal: stop.signal, send: async (frames) => void sent.push(...frames) })
      await session.query('commit')
      await waitUntil(() => sent.length > 0, { what: 'the position', withinMs: 5_000 })
      stop.abort()
      await streaming
      expect(sent[0]).toEqual({ id: expect.stringMatching(/^\d+\./) })
    })
  })
})
