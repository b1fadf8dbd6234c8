/** getLiveness: the process is there. */
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'

const subject = createSubject('getLiveness')

describe('getLiveness: 200', () => {
  it.each(theTarget().urls)('says that the process at %s is alive, and nothing else', async (url) => {
    const reply = await subject.call({ url })
    expect(subject.expectAnswer(reply, 200)).toEqual({ status: 'ok' })
  })

  it('needs no credential and minds none', async () => {
    const reply = await subject.call({ headers: { authorization: 'Bearer nonsense' } })
    expect(subject.expectAnswer(reply, 200)).toEqual({ status: 'ok' })
  })
})

describeEveryOperation(subject, () => ({}))
describeCompleteness(subject)
