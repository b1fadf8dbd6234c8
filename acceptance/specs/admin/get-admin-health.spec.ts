/** getAdminHealth: health for who holds an admin or internals key. */
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { asAdmin, bearer } from '../../world/tenants.ts'

const subject = createSubject('getAdminHealth')
const good = () => ({ headers: asAdmin() })

describe('getAdminHealth: 200', () => {
  it.each(theTarget().urls)('says that %s serves, and which tier the key is of', async (url) => {
    const reply = await subject.call({ ...good(), url })
    expect(subject.expectAnswer(reply, 200)).toEqual({ status: 'ok', tier: 'admin', authTier: 'admin' })
  })

  it('tells an internals key from an admin key', async () => {
    const reply = await subject.call({ headers: bearer(theTarget().internalsKey) })
    expect(subject.expectAnswer(reply, 200)).toEqual({ status: 'ok', tier: 'admin', authTier: 'internals' })
  })
})

describe.runIf(theTarget().unclaimed !== undefined)(
  'getAdminHealth: 503 while there is no key at all',
  () => {
    it('says how to make the first one', () => {
      const reply = theTarget().unclaimed?.admin
      if (reply) subject.expectProblem(reply, 'no_root_key')
      expect(reply?.text).toContain('concord keys create')
    })
  },
)

describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
