/**
 * The five moves of the whole service. Nothing else runs while this does, and after each test work runs again: see
 * vitest.config.ts.
 */
import { waitUntil } from '@concord/tools/launch'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../events.ts'
import { describeMoves } from '../../rules/runtime-moves.ts'
import type { MoveSubject } from '../../rules/runtime-moves.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { ingest, newDocumentId, readDocument, untilEnded } from '../../world/documents.ts'
import { bringTo, move, scopeSwitch, serviceSwitch, tenantSwitch } from '../../world/runtime.ts'
import type { Op } from '../../world/runtime.ts'
import { bearer, createScope, createTenant } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subjects: Readonly<Record<Op, MoveSubject>> = {
  start: createSubject('startRuntime'),
  pause: createSubject('pauseRuntime'),
  resume: createSubject('resumeRuntime'),
  stop: createSubject('stopRuntime'),
  restart: createSubject('restartRuntime'),
}
const kernel = createSubject('getKernelHealth')
const controlPlane = createSubject('getControlPlaneHealth')
let tenant: Tenant
let scopeId: string

beforeAll(async () => {
  tenant = await createTenant()
  scopeId = (await createScope(tenant)).scope_id
})
afterEach(async () => {
  await bringTo(serviceSwitch(), 'running')
})

for (const op of ['start', 'pause', 'resume', 'stop', 'restart'] as const)
  describeMoves(subjects[op], op, 'service', serviceSwitch)

describe('the whole service: work', () => {
  it.each(['paused', 'stopped'] as const)('is accepted and waits while it is %s', async (state) => {
    await bringTo(serviceSwitch(), state)
    const documentId = newDocumentId()
    await ingest(tenant, scopeId, { document_id: documentId })
    // Longer than a dispatcher takes to look by itself; nothing else happens that could be waited for.
    const started = Date.now()
    await waitUntil(() => Date.now() - started > 1_500, { what: 'a moment', withinMs: 3_000 })
    expect(await readDocument(tenant, scopeId, documentId)).toMatchObject({ status: 'queued', attempt: 0 })
    await move(serviceSwitch(), 'start')
    expect(await untilEnded(tenant, scopeId, documentId)).toMatchObject({ status: 'processed', attempt: 1 })
  })

  it('runs only where no switch above stands still', async () => {
    await bringTo(serviceSwitch(), 'paused')
    const running = { state: 'running', effective_state: 'paused' }
    expect(await move(tenantSwitch(tenant), 'start')).toMatchObject(running)
    expect(await move(scopeSwitch(tenant, scopeId), 'start')).toMatchObject(running)
    const stopped = await move(scopeSwitch(tenant, scopeId), 'stop')
    expect(stopped).toMatchObject({ state: 'stopped', effective_state: 'stopped' })
    await move(scopeSwitch(tenant, scopeId), 'start')
  })

  it.each(theTarget().urls)('stands the same when it is asked at %s', async (url) => {
    const { changed_at: changedAt } = await bringTo(serviceSwitch(), 'paused')
    const reply = await subjects.pause.call({ ...serviceSwitch().call, url })
    expect(subjects.pause.expectAnswer(reply, 200)).toMatchObject({ changed: false, changed_at: changedAt })
  })
})

describe('the whole service: health', () => {
  it.each(['paused', 'stopped'] as const)(
    'says at every address that it is %s, and is no fault',
    async (state) => {
      const headers = bearer(theTarget().internalsKey)
      await bringTo(serviceSwitch(), state)
      for (const url of theTarget().urls) {
        const body = await waitUntil(
          async () => {
            const answer = kernel.expectAnswer(await kernel.call({ headers, url }), 200)
            return answer.status === state && answer
          },
          { what: `health that is ${state}` },
        )
        expect(body).toMatchObject({ moving: false, runtime: { service: state } })
        const whole = controlPlane.expectAnswer(await controlPlane.call({ headers, url }), 200)
        expect(whole).toMatchObject({ status: state, runtime: { service: state } })
      }
    },
  )
})

describe('the whole service: the kernel stream', () => {
  it('tells of moves above the scopes, without a place in any log', async () => {
    const headers = bearer(theTarget().internalsKey)
    using stream = await createSubject('streamKernelEvents').open({ headers })
    await move(tenantSwitch(tenant), 'pause')
    await move(serviceSwitch(), 'pause')
    await move(serviceSwitch(), 'start')
    await move(tenantSwitch(tenant), 'start')
    const told = await waitUntil(
      () => {
        const moves = eventsOf(stream).filter(({ type }) => type === 'runtime.changed')
        return moves.length >= 4 && moves
      },
      { what: 'four moves on the kernel stream', withinMs: 10_000 },
    )
    const nowhere = { scope_id: null, epoch: null, seq: null }
    const { tenantId } = tenant
    expect(told.map(({ data }) => data)).toEqual([
      {
        ...nowhere,
        tenant_id: tenantId,
        level: 'tenant',
        state: 'paused',
        effective_state: 'paused',
        generation: 0,
      },
      expect.objectContaining({ ...nowhere, tenant_id: null, level: 'service', state: 'paused' }),
      expect.objectContaining({ ...nowhere, tenant_id: null, level: 'service', state: 'running' }),
      {
        ...nowhere,
        tenant_id: tenantId,
        level: 'tenant',
        state: 'running',
        effective_state: 'running',
        generation: 0,
      },
    ])
  })
})
