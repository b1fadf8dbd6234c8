/** streamOwnScopeEvents: a tenant follows one of its scopes. */
import { waitUntil } from '@concord/tools/launch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AcceptanceEventStream } from '../../http/event-stream.ts'
import { describeClosing } from '../../rules/closing-streams.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeScopeStreams } from '../../rules/scope-streams.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('streamOwnScopeEvents')
const scopeId = newScopeId()
let tenant: Tenant
let idle: AcceptanceEventStream
let openedAt: number

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  // Nothing happens on it while everything else here is tested.
  idle = await subject.open(good())
  openedAt = performance.now()
})

afterAll(() => idle[Symbol.dispose]())

const ask = (scope: string, key = tenant.key) => ({ headers: bearer(key), params: { scopeId: scope } })
const good = () => ask(scopeId)

describeScopeStreams(subject, { owner: () => tenant, call: ask })
describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
describeClosing(
  subject,
  () => tenant,
  (key) => subject.open(ask(scopeId, key)),
)

describe('streamOwnScopeEvents: silence', () => {
  it(
    'is broken by a comment within 20 s, so that nobody takes the stream for dead',
    { timeout: 25_000 },
    async () => {
      const withinMs = Math.max(1_000, 20_000 - (performance.now() - openedAt))
      const comments = () => idle.frames().filter(({ comment }) => comment !== undefined)
      await waitUntil(() => comments().length > 0, { what: 'a sign of life', withinMs })
      expect(idle.frames().filter(({ event }) => event !== undefined)).toEqual([])
      expect(idle.hasEnded()).toBe(false)
    },
  )
})
