/** The closed table of problem codes. */
import { describe, expect, test } from 'vitest'
import { allOperations, isProblemCode, Problem, problemCodes, problems, problemsOf } from '../src/index.ts'

/** 408 and 431 come before a route is known; 500 is the one that no caller can cause or mend. */
const statuses = [400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 422, 429, 431, 500, 503]

describe.each(problemCodes.map((code) => ({ code, ...problems[code] })))(
  '$code',
  ({ code, status, title, detail }) => {
    test('is a word in lower case that names its page', () => {
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    })

    test('has a status that this service uses', () => {
      expect(statuses).toContain(status)
    })

    test('has a title without a period, and a detail of whole sentences', () => {
      expect(title).toMatch(/^[A-Z].*[^.]$/)
      expect(detail).toMatch(/^[A-Z].*\.$/)
    })

    test('can be given by an operation', () => {
      expect(allOperations.some((each) => problemsOf(each).includes(code))).toBe(true)
    })
  },
)

test('a name that every object has is no problem code', () => {
  expect(['toString', '__proto__', 'constructor', ''].filter(isProblemCode)).toEqual([])
  expect(isProblemCode('scope_not_found')).toBe(true)
})

describe('a problem document', () => {
  const whole = {
    type: '/problems/not_found',
    ...problems.not_found,
    instance: 'urn:concord:request:r',
    code: 'not_found',
    request_id: 'r',
  }

  test('needs no errors', () => {
    expect(Problem.safeParse(whole).success).toBe(true)
  })

  test.each(Object.keys(whole))('has %s', (field) => {
    expect(Problem.safeParse({ ...whole, [field]: undefined }).success).toBe(false)
  })

  test('has a code of the table, and nothing that the contract does not name', () => {
    expect(Problem.safeParse({ ...whole, code: 'oops' }).success).toBe(false)
    expect(Problem.safeParse({ ...whole, stack: 'at …' }).success).toBe(false)
  })
})
