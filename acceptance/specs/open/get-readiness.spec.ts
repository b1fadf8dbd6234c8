/** getReadiness: whether traffic may be sent here, and what that depends on. */
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'

const subject = createSubject('getReadiness')

describe('getReadiness: 200', () => {
  it.each(theTarget().urls)('says of %s that every part is there', async (url) => {
    const { status, checks } = subject.expectAnswer(await subject.call({ url }), 200)
    expect(status).toBe('ok')
    expect(checks.length).toBeGreaterThan(0)
    expect(checks.filter((check) => !check.ok)).toEqual([])
  })

  it('cannot do without its database', async () => {
    const { checks } = subject.expectAnswer(await subject.call({}), 200)
    expect(checks).toContainEqual(expect.objectContaining({ name: 'database', required: true, ok: true }))
  })

  it('looks again at least every five seconds', async () => {
    const { checks } = subject.expectAnswer(await subject.call({}), 200)
    expect(Math.max(...checks.map((check) => check.age_ms))).toBeLessThan(5_000)
  })

  it('tells a stranger no address and no version of any part', async () => {
    const { text } = await subject.call({})
    expect(text).not.toMatch(/:\/\/|127\.|localhost|\d+\.\d+/)
  })
})

describeEveryOperation(subject, () => ({}))
describeCompleteness(subject)
