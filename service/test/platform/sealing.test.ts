import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createDataKey,
  openSealed,
  seal,
  SealError,
  unwrapDataKey,
  wrapDataKey,
} from '../../src/platform/sealing.ts'

const key = createDataKey()
const context = ['text', 'tenant', 'scope', '0']
const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each))
const contexts = fc.array(fc.string({ unit: fc.constantFrom('a', '1', ':', '|', '0', 'é', '\n') }), {
  maxLength: 4,
})

describe('a sealed value', () => {
  it('opens to exactly the bytes that were sealed, whatever they are', () => {
    fc.assert(
      fc.property(bytes, contexts, (plain, where) => {
        expect(openSealed(key, where, seal(key, where, plain)).equals(plain)).toBe(true)
      }),
    )
  })

  it('looks different every time, so that equal content cannot be told from its seal', () => {
    const plain = Buffer.from('the price is 12')
    const seals = Array.from({ length: 1_000 }, () => seal(key, context, plain).toString('hex'))
    expect(new Set(seals).size).toBe(1_000)
  })

  it('does not show its content', () => {
    const plain = Buffer.from('a text that nobody should find in a dump')
    expect(seal(key, context, plain).includes(plain.subarray(0, 8))).toBe(false)
  })

  it('does not open with another key', () => {
    expect(() => openSealed(createDataKey(), context, seal(key, context, Buffer.from('x')))).toThrow(
      SealError,
    )
  })

  it('does not open when any single bit of it is flipped: form, nonce, content or tag', () => {
    const sealed = seal(key, context, Buffer.from('twelve bytes'))
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => openSealed(key, context, changed), `bit ${bit}`).toThrow(SealError)
    }
  })

  it('does not open when it is cut short or lengthened', () => {
    const sealed = seal(key, context, Buffer.from('twelve bytes'))
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => openSealed(key, context, sealed.subarray(0, length))).toThrow(SealError)
    expect(() => openSealed(key, context, Buffer.concat([sealed, Buffer.of(0)]))).toThrow(SealError)
  })
})

describe('the context', () => {
  it('opens nothing but what was sealed in it', () => {
    fc.assert(
      fc.property(contexts, contexts, (sealedIn, openedIn) => {
        fc.pre(JSON.stringify(sealedIn) !== JSON.stringify(openedIn))
        const sealed = seal(key, sealedIn, Buffer.from('x'))
        expect(() => openSealed(key, openedIn, sealed)).toThrow(SealError)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [['a', 'b'], ['a|1:b']],
    [
      ['a|', 'b'],
      ['a', '|b'],
    ],
    [['a'], ['a', '']],
    [[], ['']],
    [['1:a'], ['a']],
    [['é'], ['e\u0301']],
  ])('%j is not the same as %j, although both read alike', (one, other) => {
    const sealed = seal(key, one, Buffer.from('x'))
    expect(() => openSealed(key, other, sealed)).toThrow(SealError)
  })
})

describe('a wrapped data key', () => {
  const old = { id: 'mk1', bytes: randomBytes(32) }
  const young = { id: 'mk2', bytes: randomBytes(32) }
  const where = ['scope-data-key', 'tenant', 'scope', '0']

  it('is wrapped by the first master key and says by which', () => {
    expect(wrapDataKey([young, old], where, key).masterKeyId).toBe('mk2')
  })

  it('opens after the master key was changed, as long as the old one is still listed', () => {
    const wrapped = wrapDataKey([old], where, key)
    expect(unwrapDataKey([young, old], where, wrapped).equals(key)).toBe(true)
  })

  it('asks for the missing master key by name when the old one was removed too early', () => {
    const wrapped = wrapDataKey([old], where, key)
    expect(() => unwrapDataKey([young], where, wrapped)).toThrow(
      /mk1 is not configured; add it to MASTER_KEY/,
    )
  })

  it('does not open under a master key that only has the same name', () => {
    const wrapped = wrapDataKey([old], where, key)
    expect(() => unwrapDataKey([{ ...young, id: 'mk1' }], where, wrapped)).toThrow(SealError)
  })

  it('does not open for another scope, tenant or generation', () => {
    const wrapped = wrapDataKey([old], where, key)
    for (const part of where.keys()) {
      const elsewhere = where.with(part, 'other')
      expect(() => unwrapDataKey([old], elsewhere, wrapped)).toThrow(SealError)
    }
  })

  it('is not made at all without a master key', () => {
    expect(() => wrapDataKey([], where, key)).toThrow(/no master key is configured/)
  })
})
