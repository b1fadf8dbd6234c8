/** describeProblem: where the `type` of every problem leads. */
import { problemCodes, problems } from '@concord/contract'
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('describeProblem')

describe('describeProblem: 200', () => {
  it.each(problemCodes)('explains %s as the contract does', async (code) => {
    const reply = await subject.call({ params: { code } })
    expect(subject.expectAnswer(reply, 200)).toEqual({ code, ...problems[code] })
  })

  it('stands at the address that a problem gives as its type', async () => {
    const refused = await subject.call({ path: '/nowhere' })
    const { type } = JSON.parse(refused.text) as { readonly type: string }
    const { pathname } = new URL(type, 'http://service')
    expect(subject.expectAnswer(await subject.call({ path: pathname }), 200)).toMatchObject({
      code: 'not_found',
    })
  })
})

describe('describeProblem: 404', () => {
  it.each(['nothing', '__proto__', 'constructor', 'hasownproperty', 'a'.repeat(60)])(
    'does not know %s',
    async (code) => {
      subject.expectProblem(await subject.call({ params: { code } }), 'problem_not_found')
    },
  )
})

describe('describeProblem: 422', () => {
  it.each([
    ['capitals', 'NOT_FOUND', 'pattern_mismatch'],
    ['digits', 'error1', 'pattern_mismatch'],
    ['an encoded slash', 'a/b', 'pattern_mismatch'],
    ['dots', '..', 'pattern_mismatch'],
    ['a line break', 'not_found\n', 'pattern_mismatch'],
    ['U+0000', 'not_found\0', 'invalid_character'],
    ['61 characters', 'a'.repeat(61), 'too_long'],
    ['201 characters', 'a'.repeat(201), 'too_long'],
    ['1,000 characters', 'a'.repeat(1_000), 'too_long'],
  ])('refuses a code with %s', async (_, code, rule) => {
    const reply = await subject.call({ params: { code } })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['path#/code'], rules: [rule] })
  })
})

describeEveryOperation(subject, () => ({ params: { code: 'not_found' } }))
describeCompleteness(subject)
