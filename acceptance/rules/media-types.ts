/** What is answered is what the caller said it can read. */
import { describe, expect, it } from 'vitest'
import type { GoodCall, Subject } from '../subject.ts'
import { withHeaders } from '../subject.ts'

export function describeMediaTypes(subject: Subject, good: GoodCall): void {
  const { name, answers } = subject.operation
  const statuses = Object.keys(answers).map(Number)
  const own = answers[statuses[0] ?? 0] === 'html' ? 'text/html' : 'application/json'
  const family = `${own.split('/')[0]}/*`

  describe(`${name}: Accept`, () => {
    it.each([
      own,
      '*/*',
      family,
      `image/png, ${own};q=0.1`,
      `${own.toUpperCase()}; q=1.0`,
      `image/png,*/*;q=0.01`,
    ])('answers who accepts %s', async (accept) => {
      const reply = await subject.call(withHeaders(await good(), { accept }))
      expect(statuses, reply.text).toContain(reply.status)
      expect(reply.headers['content-type']?.startsWith(own)).toBe(true)
    })
  })

  describe(`${name}: 406`, () => {
    it.each(['image/png', 'text/plain', `${own};q=0`, `${own}-seq`, 'application/xml, image/*'])(
      'refuses who accepts only %s',
      async (accept) => {
        subject.expectProblem(await subject.call(withHeaders(await good(), { accept })), 'not_acceptable')
      },
    )
  })
}
