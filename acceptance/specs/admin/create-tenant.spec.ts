/** createTenant: a tenant and its first key, in one answer. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { describeNoReplay } from '../../rules/replay.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { asAdmin, isAccepted } from '../../world/tenants.ts'

const subject = createSubject('createTenant')
const good = () => ({ headers: asAdmin(), body: { name: `acceptance ${randomUUID()}` } })
const named = (name: unknown) => subject.call({ headers: asAdmin(), body: { name } })

describe('createTenant: 201', () => {
  it('answers with the tenant, its key and nothing else', async () => {
    const body = subject.expectAnswer(await subject.call(good()), 201)
    expect(body).toEqual({
      tenant_id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      api_key: expect.stringMatching(/^ck_t_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/),
      key_prefix: body.api_key.slice(0, 'ck_t_1234567890'.length),
      message: expect.stringMatching(/\S/),
    })
  })

  it('says in Location where the tenant can be read', async () => {
    const reply = await named('Acme Capital')
    const { tenant_id: tenantId } = subject.expectAnswer(reply, 201)
    expect(reply.headers['location']).toBe(`/admin/tenants/${tenantId}`)
    const read = await subject.call({
      method: 'GET',
      path: reply.headers['location'] ?? '',
      headers: asAdmin(),
    })
    expect(JSON.parse(read.text)).toMatchObject({ tenant_id: tenantId, name: 'Acme Capital' })
  })

  it('lets no cache keep the key', async () => {
    expect((await subject.call(good())).headers['cache-control']).toBe('no-store')
  })

  it('gives a key that every process takes at once', async () => {
    const { api_key: key } = subject.expectAnswer(await subject.call(good()), 201)
    expect(await Promise.all(theTarget().urls.map((url) => isAccepted(url, key)))).not.toContain(false)
  })

  it('makes another tenant each time, whatever the name', async () => {
    const made = [await named('twin'), await named('twin')].map((reply) => subject.expectAnswer(reply, 201))
    expect(made[0]?.tenant_id).not.toBe(made[1]?.tenant_id)
    expect(made[0]?.api_key).not.toBe(made[1]?.api_key)
  })

  it.each([
    ['one character', 'a'],
    ['one character of two UTF-16 units', '💠'],
    ['spaces around it', '  Acme  '],
    ['a letter and its accent apart', 'Cafe\u0301'],
    ['the same as one letter', 'Caf\u00e9'],
    ['right-to-left and control characters', '\u202eacme\u0007\n'],
    ['quotes and markup', `'"; drop table tenants; -- <b>&amp;`],
    ['4,000 characters of four bytes', '💠'.repeat(4_000)],
  ])('keeps a name with %s as it is', async (_, name) => {
    const reply = await named(name)
    subject.expectAnswer(reply, 201)
    const read = await subject.call({
      method: 'GET',
      path: reply.headers['location'] ?? '',
      headers: asAdmin(),
    })
    expect((JSON.parse(read.text) as { name: string }).name).toBe(name)
  })
})

describe('createTenant: 422 for a name that is none', () => {
  it('asks for the name', async () => {
    const reply = await subject.call({ headers: asAdmin(), body: {} })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/name'] })
  })

  it('asks for a body', async () => {
    subject.expectProblem(await subject.call({ headers: asAdmin() }), 'validation_failed', {
      pointers: ['#'],
    })
  })

  it.each([1, 0, true, null, ['Acme'], { name: 'Acme' }])('does not turn %j into a name', async (name) => {
    subject.expectProblem(await named(name), 'validation_failed', { pointers: ['#/name'] })
  })

  it.each([
    ['nothing in it', '', 'too_short'],
    ['U+0000 in it', 'Acme\0', 'invalid_character'],
    ['the first half of a pair', 'Acme \ud83d', 'invalid_character'],
    ['the second half of a pair', '\udca0 Acme', 'invalid_character'],
    ['a pair the wrong way round', '\udca0\ud83d', 'invalid_character'],
  ])('refuses a name with %s', async (_, name, rule) => {
    subject.expectProblem(await named(name), 'validation_failed', { pointers: ['#/name'], rules: [rule] })
  })
})

describePlatformEntrance(subject, good)
describeBodies(subject, good)
describeNoReplay(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
