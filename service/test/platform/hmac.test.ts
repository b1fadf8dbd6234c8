import { expect, it } from 'vitest'
import { hmacOf } from '../../src/platform/hmac.ts'

// RFC 4231, test cases 1, 2 and 6: the last key is longer than a block of SHA-256.
it.each([
  [Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    Buffer.from('Jefe'),
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    Buffer.alloc(131, 0xaa),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
])('is that of RFC 4231, the first time and with the key that was prepared', (key, text, expected) => {
  expect(hmacOf(key, text).toString('hex')).toBe(expected)
  expect(hmacOf(key, text).toString('hex')).toBe(expected)
})
