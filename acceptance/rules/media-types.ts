/** The answer has a media type that the caller accepts. */
import { describe, it } from 'vitest'
import { mediaTypesOf } from '../answers.ts'
import type { GoodCall, Subject } from '../subject.ts'
import { withHeaders } from '../subject.ts'

export function describeMediaTypes(subject: Subject, good: GoodCall): void {
  const { name, answers } = subject.operation
  const [own = ''] = mediaTypesOf(subject.operation, Number(Object.keys(answers)[0]))
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
      subject.expectLetIn(await subject.call(withHeaders(await good(), { accept })))
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
