/** An old address answers as the new one does, at its doors too, and says what to use instead. */
import { deprecationHeaders } from '@concord/contract'
import { describe, expect, it } from 'vitest'
import type { SubjectCall, Subject } from '../subject.ts'
import { theTarget } from '../target.ts'
import { bearer } from '../world/tenants.ts'
import { describePlatformEntrance } from './platform-entrance.ts'

/** Describes the alias of an operation that takes an internals key and nothing else. */
export function describeDeprecatedAlias(
  subject: Subject,
  path: string,
  expectSame: (call: SubjectCall) => Promise<void>,
): void {
  const { operation } = subject
  const alias = operation.aliases?.find((each) => each.path === path)
  const good = () => ({ headers: bearer(theTarget().internalsKey), path })
  describe(`${operation.name} under the deprecated ${path}`, () => {
    it('is the only other address', () => {
      expect(operation.aliases?.map((each) => each.path)).toEqual([path])
    })

    it('shows the same', async () => {
      await expectSame(good())
    })

    it('says since when it is deprecated, until when it works, and what to use, also with a problem', async () => {
      const calls = [good(), { path }, { path, headers: bearer(theTarget().adminKey) }]
      const replies = await Promise.all(calls.map((call) => subject.call(call)))
      expect(replies.map(({ status }) => status)).toEqual([200, 401, 403])
      const headers = alias ? Object.entries(deprecationHeaders(operation, alias)) : []
      expect(headers.length).toBeGreaterThan(0)
      for (const reply of replies)
        for (const [name, value] of headers) expect(reply.headers[name.toLowerCase()]).toBe(value)
    })

    describePlatformEntrance(subject, good)
  })
}
