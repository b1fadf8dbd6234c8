/** Every answer can be named: by the id the caller chose, or by one that was made for it. */
import { describe, expect, it } from 'vitest'
import { theTarget } from '../target.ts'
import { exchangeBytes, head } from '../http/bytes.ts'
import type { GoodCall, Subject } from '../subject.ts'
import { pathOf, withHeaders } from '../subject.ts'

/** Harmless in a log line. */
const MADE = /^[A-Za-z0-9._:-]{8,128}$/

export function describeRequestId(subject: Subject, good: GoodCall): void {
  const { name, method } = subject.operation
  describe(`${name}: X-Request-Id`, () => {
    it('returns the id that was sent', async () => {
      const id = 'trace.7:Ab-c'
      const reply = await subject.call(withHeaders(await good(), { 'x-request-id': id }))
      expect(reply.headers['x-request-id']).toBe(id)
    })

    it('returns it with a problem too, and in its body', async () => {
      const call = withHeaders(await good(), { 'x-request-id': 'problem-1', accept: 'image/png' })
      const reply = await subject.call(call)
      subject.expectProblem(reply, 'not_acceptable')
      expect(reply.headers['x-request-id']).toBe('problem-1')
    })

    it('makes a different one for each request that brings none', async () => {
      const ids = [await subject.call(await good()), await subject.call(await good())].map(
        (reply) => reply.headers['x-request-id'],
      )
      expect(ids[0]).toMatch(MADE)
      expect(ids[1]).toMatch(MADE)
      expect(ids[0]).not.toBe(ids[1])
    })

    it.each([
      ['is longer than 128 characters', 'a'.repeat(129)],
      ['could be taken for markup', '<script>'],
      ['could start a new log entry', 'a{"level":60}'],
      ['is empty', ''],
    ])('replaces an id that %s', async (_, id) => {
      const reply = await subject.call(withHeaders(await good(), { 'x-request-id': id }))
      expect(reply.headers['x-request-id']).toMatch(MADE)
      expect(reply.headers['x-request-id']).not.toBe(id)
    })

    it('replaces an id that was sent twice', async () => {
      const { headers = {}, ...call } = await good()
      const lines = Object.entries({
        host: 'localhost',
        connection: 'close',
        'content-length': '0',
        ...headers,
      })
      const twice = [...lines, ['x-request-id', 'one'] as const, ['x-request-id', 'two'] as const]
      const bytes = head(method, pathOf(subject.operation, call), twice)
      const [reply] = await exchangeBytes(theTarget().urls[0] ?? '', bytes)
      expect(reply?.headers['x-request-id']).toMatch(MADE)
      expect(['one', 'two', 'one, two']).not.toContain(reply?.headers['x-request-id'])
    })
  })
}
