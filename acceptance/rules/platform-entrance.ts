/** The admin and internals tiers: a bearer key of the tier, in its header, and nothing else. */
import { describe, expect, it } from 'vitest'
import type { SubjectCall, GoodCall, Subject } from '../subject.ts'
import { withHeaders, withoutHeaders } from '../subject.ts'
import { theTarget } from '../target.ts'
import { bearer, createTenant } from '../world/tenants.ts'
import { refusedKeys } from './refused-keys.ts'

export function describePlatformEntrance(subject: Subject, good: GoodCall): void {
  describeAdmitted(subject, good)
  describeMissing(subject, good)
  describeInvalid(subject, good)
  describeDead(subject, good)
  describeWrongTier(subject, good)
}

function describeAdmitted(subject: Subject, good: GoodCall): void {
  describe(`${subject.operation.name}: who may enter`, () => {
    it('opens for an internals key', async () => {
      subject.expectLetIn(await subject.call(withHeaders(await good(), bearer(theTarget().internalsKey))))
    })

    it.each(['bearer', 'BEARER', 'Bearer  '])('reads the scheme written as "%s"', async (scheme) => {
      const authorization = `${scheme} ${theTarget().internalsKey}`
      subject.expectLetIn(await subject.call(withHeaders(await good(), { authorization })))
    })
  })
}

function describeMissing(subject: Subject, good: GoodCall): void {
  const { adminKey, internalsKey } = theTarget()
  const places: readonly (readonly [string, (call: SubjectCall) => SubjectCall])[] = [
    ['nowhere', (call) => call],
    [
      'in the query',
      (call) => ({ ...call, query: `access_token=${internalsKey}&authorization=${internalsKey}` }),
    ],
    ['in a cookie', (call) => withHeaders(call, { cookie: `authorization=Bearer ${internalsKey}` })],
    ['in X-API-Key', (call) => withHeaders(call, { 'x-api-key': internalsKey })],
    ['in X-Tenant-API-Key', (call) => withHeaders(call, { 'x-tenant-api-key': adminKey })],
    [
      'in Proxy-Authorization',
      (call) => withHeaders(call, { 'proxy-authorization': `Bearer ${internalsKey}` }),
    ],
  ]
  describe(`${subject.operation.name}: 401 without a bearer credential`, () => {
    it.each(places)('asks for the key when it is %s', async (_, place) => {
      const call = withoutHeaders(await good(), 'authorization')
      subject.expectProblem(await subject.call(place(call)), 'credential_missing')
    })
  })
}

function describeInvalid(subject: Subject, good: GoodCall): void {
  const letter = subject.operation.tier === 'internals' ? 'i' : 'a'
  const { adminKey, internalsKey } = theTarget()
  const own = letter === 'i' ? internalsKey : adminKey
  describe(`${subject.operation.name}: 401 for a credential that is not one`, () => {
    it.each(refusedKeys(letter))('refuses $what', async ({ present, code }) => {
      subject.expectProblem(await subject.call(withHeaders(await good(), bearer(present(own)))), code)
    })

    it.each([
      '',
      'Bearer',
      'Bearer ',
      own,
      `Basic ${btoa(`admin:${own}`)}`,
      `Bearer ${own}, Bearer ${own}`,
      `Token ${own}`,
    ])('refuses an Authorization of another form (%#)', async (authorization) => {
      const reply = await subject.call(withHeaders(await good(), { authorization }))
      expect(reply.status).toBe(401)
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer\b/)
    })
  })
}

function describeDead(subject: Subject, good: GoodCall): void {
  const { dead } = theTarget()
  describe.runIf(dead !== undefined)(`${subject.operation.name}: 401 for a key whose life is over`, () => {
    it('refuses an expired key', async () => {
      const call = withHeaders(await good(), bearer(dead?.expired ?? ''))
      subject.expectProblem(await subject.call(call), 'credential_expired')
    })

    it('refuses a revoked key', async () => {
      const call = withHeaders(await good(), bearer(dead?.revoked ?? ''))
      subject.expectProblem(await subject.call(call), 'credential_revoked')
    })
  })
}

function describeWrongTier(subject: Subject, good: GoodCall): void {
  describe(`${subject.operation.name}: 403`, () => {
    it('does not open for the key of a tenant', async () => {
      const { key } = await createTenant()
      subject.expectProblem(await subject.call(withHeaders(await good(), bearer(key))), 'wrong_tier')
    })
  })
  if (subject.operation.tier !== 'internals') return

  describe(`${subject.operation.name}: 403 below the tier`, () => {
    it('does not open for an admin key', async () => {
      const call = withHeaders(await good(), bearer(theTarget().adminKey))
      subject.expectProblem(await subject.call(call), 'wrong_tier')
    })
  })
}
