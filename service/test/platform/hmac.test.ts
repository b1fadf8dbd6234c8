import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { hmacWith } from '../../src/platform/hmac.ts'

it('is that of any other implementation, for keys and texts of any length and script', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 500, maxLength: 3_000 }))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), text, (bytes, message) => {
      const key = Buffer.from(bytes)
      const other = createHmac('sha256', key).update(message).digest()
      expect(hmacWith(key)(message)).toEqual(other)
      // A key that was prepared serves as well the second time.
      expect(hmacWith(key)(message)).toEqual(other)
    }),
  )
})

it('depends on the key and on every sign of the text', () => {
  const hmac = hmacWith(Buffer.alloc(32, 1))
  const all = [hmac('a'), hmac('b'), hmac(''), hmac('a '), hmacWith(Buffer.alloc(32, 2))('a')]
  expect(new Set(all.map((each) => each.toString('hex'))).size).toBe(all.length)
})
