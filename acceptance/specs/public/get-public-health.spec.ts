/** getPublicHealth: open to anyone, and says nothing but a status. */
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'

const subject = createSubject('getPublicHealth')

describe('getPublicHealth: 200', () => {
  it.each(theTarget().urls)('says that %s serves, and nothing else', async (url) => {
    const reply = await subject.call({ url })
    expect(subject.expectAnswer(reply, 200)).toEqual({ status: 'ok' })
  })

  it.each([
    ['an invalid key', { authorization: 'Bearer nonsense' }],
    ['the id of an unknown tenant', { 'x-tenant-id': 'nobody' }],
    ['an empty credential', { authorization: '' }],
  ])('answers the same to who sends %s', async (_, headers) => {
    const reply = await subject.call({ headers })
    expect(subject.expectAnswer(reply, 200)).toEqual({ status: 'ok' })
  })
})

describeEveryOperation(subject, () => ({}))
describeCompleteness(subject)
