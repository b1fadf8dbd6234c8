import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { secretKeyOf } from '../../src/platform/secret-key.ts'

it('wraps the same bytes once', () => {
  const bytes = randomBytes(32)
  expect(secretKeyOf(bytes)).toBe(secretKeyOf(bytes))
  expect(secretKeyOf(bytes).export()).toEqual(bytes)
})

it('does not mix up two keys', () => {
  const [one, other] = [randomBytes(32), randomBytes(32)]
  expect(secretKeyOf(one).equals(secretKeyOf(other))).toBe(false)
})
