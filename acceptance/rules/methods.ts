/** A path takes the methods the contract gives it and no other, however the method is put. */
import { defaultBodyLimit, servedOperations } from '@concord/contract'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../http/exchange.ts'
import type { GoodCall, Subject } from '../subject.ts'
import { withHeaders, withoutHeaders } from '../subject.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

/** Problems that an operation without a body does not document, so they must not show. */
const unreadable = [
  ['malformed', '{', 'application/json'],
  ['too large', '{}'.padEnd(defaultBodyLimit + 1), 'application/json'],
  ['of another type', 'hello', 'text/plain'],
] as const

export function describeMethods(subject: Subject, good: GoodCall): void {
  const { name, path, method } = subject.operation
  const documented = servedOperations
    .filter((each) => each.path === path)
    .map((each) => each.method as string)
  const allowed = documented.includes('GET') ? [...documented, 'HEAD'] : documented
  const refused = allowed.includes('PATCH') ? 'PUT' : 'PATCH'
  describe(`${name}: 405`, () => {
    it.each(METHODS.filter((each) => !allowed.includes(each)))(
      'refuses %s and names what is allowed',
      async (other) => {
        const reply = await subject.call({ ...(await withoutBody(good)), method: other })
        subject.expectProblem(reply, 'method_not_allowed')
        expect(allowedBy(reply)).toEqual(allowed.toSorted())
      },
    )

    it.runIf(documented.includes('GET'))('answers HEAD like GET, without a body', async () => {
      const call = await withoutBody(good)
      const [head, get] = [
        await subject.call({ ...call, method: 'HEAD' }),
        await subject.call({ ...call, method: 'GET' }),
      ]
      expect(head).toMatchObject({ status: get.status, text: '' })
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
    })

    it.runIf(!documented.includes('GET'))('refuses HEAD, whose answers have no body', async () => {
      const reply = await subject.call({ ...(await withoutBody(good)), method: 'HEAD' })
      expect(reply).toMatchObject({ status: 405, text: '' })
      expect(allowedBy(reply)).toEqual(allowed.toSorted())
    })

    it.each(unreadable)(
      'refuses another method before it looks at a body that is %s',
      async (_, bytes, type) => {
        const call = withHeaders(await withoutBody(good), { 'content-type': type })
        subject.expectProblem(await subject.call({ ...call, method: refused, bytes }), 'method_not_allowed')
      },
    )

    it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
      'takes the method of the request line, whatever %s says',
      async (header) => {
        const call = withHeaders(await withoutBody(good), { [header]: method })
        const reply = await subject.call({ ...call, method: refused, query: `_method=${method}` })
        subject.expectProblem(reply, 'method_not_allowed')
      },
    )

    it('lets no page of another origin in', async () => {
      const call = withHeaders(await withoutBody(good), {
        origin: 'https://elsewhere.example',
        'access-control-request-method': method,
      })
      const { headers } = await subject.call({ ...call, method: 'OPTIONS' })
      expect(Object.keys(headers).filter((each) => each.startsWith('access-control-'))).toEqual([])
    })
  })
}

function allowedBy({ headers }: Reply): string[] | undefined {
  return headers['allow']?.split(', ').toSorted()
}

async function withoutBody(good: GoodCall) {
  const { body: _, bytes: __, ...call } = withoutHeaders(await good(), 'content-type')
  return call
}
