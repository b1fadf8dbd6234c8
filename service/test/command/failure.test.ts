import { describe, expect, it } from 'vitest'
import { problemCodes, problems } from '@concord/contract'
import { explainFailure } from '../../src/command/failure.ts'
import { Fault } from '../../src/domain/fault.ts'

describe('explainFailure', () => {
  it.each(problemCodes)('says of %s what it is and what to do', (code) => {
    expect(explainFailure(new Fault(code))).toBe(`${problems[code].title}. ${problems[code].detail}`)
  })

  it('names each thing that is in the way, on a line of its own', () => {
    const fields = [
      { pointer: '/documents/a\nb', code: 'document_unread', message: 'Nothing of this document was read.' },
      { pointer: '/claims', code: 'unassessed', message: 'Only 0 of 3 claims were compared.' },
    ]
    const [, ...lines] = explainFailure(new Fault('not_settled', { fields })).split('\n')
    expect(lines).toEqual([
      '  /documents/a b Nothing of this document was read.',
      '  /claims Only 0 of 3 claims were compared.',
    ])
  })

  it('does not print what is only for the log', () => {
    expect(explainFailure(new Fault('not_found', { internal: 'row 7' }))).not.toContain('row 7')
  })

  it('prints what to check if the database is unavailable', () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
    expect(explainFailure(away)).toContain('check DATABASE_URL')
    expect(explainFailure(new Error('database did not start', { cause: away }))).toMatch(
      /^database did not start: .*check DATABASE_URL/,
    )
  })

  it('prints the whole chain of causes', () => {
    const chain = new Error('outer', { cause: new Error('middle', { cause: new Error('inner') }) })
    expect(explainFailure(chain)).toBe('outer: middle: inner')
  })

  it('prints the message of any other error', () => {
    expect(explainFailure('a string')).toBe('a string')
  })
})
