/** getInternalsHealth: health for operators alone. */
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { bearer } from '../../world/tenants.ts'

const subject = createSubject('getInternalsHealth')
const good = () => ({ headers: bearer(theTarget().internalsKey) })

describe('getInternalsHealth: 200', () => {
  it.each(theTarget().urls)('says that %s serves, and which tier the key is of', async (url) => {
    const reply = await subject.call({ ...good(), url })
    expect(subject.expectAnswer(reply, 200)).toEqual({
      status: 'ok',
      tier: 'internals',
      authTier: 'internals',
    })
  })
})

describe.runIf(theTarget().unclaimed !== undefined)(
  'getInternalsHealth: 503 while there is no key at all',
  () => {
    it('says how to make the first one', () => {
      const reply = theTarget().unclaimed?.internals
      if (reply) subject.expectProblem(reply, 'no_root_key')
      expect(reply?.text).toContain('concord keys create --tier internals')
    })
  },
)

describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
