import { describe, expect, it } from 'vitest'
import { readStructure } from '../../src/reading/structure.ts'
import { decodeReading, encodeReading } from '../../src/worker/reading.ts'
import { statement } from '../support/claims.ts'

describe('a reading', () => {
  it('arrives with what is counted of it, and otherwise to the byte as it was written', () => {
    const structure = { passages: [{ sentences: ['one', 'zwölf 🎈'] }, { level: 1 }, { sentences: [] }] }
    const { passages, sentences, json } = decodeReading(Buffer.from(encodeReading(structure)))
    expect({ passages, sentences }).toEqual({ passages: 3, sentences: 2 })
    expect(String(json)).toBe(JSON.stringify(structure))
  })

  it('of a real text counts what a look at the structure counts', () => {
    const text = '# Report\n\nIt was signed. Nobody objected.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
    const structure = readStructure(text)
    const { passages, sentences } = decodeReading(Buffer.from(encodeReading(structure)))
    expect(passages).toBe(structure.passages.length)
    expect(sentences).toBe(2)
  })

  it('brings its claims, each with what it is filed under, and to the byte as it was written', () => {
    const found = [statement(10), { ...statement(12), quote: 'Zeile\n“zwölf” 🎈' }].map((claim) => ({
      claim,
      keys: ['a|b', 'c\nd'],
      valueKey: 'number:1',
    }))
    const { claims, json } = decodeReading(Buffer.from(encodeReading({ passages: [] }, found)))
    expect(String(json)).toBe('{"passages":[]}')
    expect(claims).toEqual(
      found.map(({ claim, keys, valueKey }) => ({
        kind: 'money',
        keys,
        valueKey,
        json: Buffer.from(JSON.stringify(claim)),
      })),
    )
  })

  it('leaves out what is more than any document may claim', () => {
    const found = Array.from({ length: 3_000 }, () => ({ claim: statement(1), keys: ['k'], valueKey: 'v' }))
    expect(decodeReading(Buffer.from(encodeReading({ passages: [] }, found))).claims).toHaveLength(2_000)
    const long = { ...statement(1), quote: 'x'.repeat(900_000) }
    const few = [long, long, long].map((claim) => ({ claim, keys: ['k'], valueKey: 'v' }))
    expect(decodeReading(Buffer.from(encodeReading({ passages: [] }, few))).claims).toHaveLength(2)
  })

  it('that ends before its claims do is none', () => {
    expect(() => decodeReading(Buffer.from('0 0 1\n{}'))).toThrow('too early')
  })

  it('keeps nothing of the bytes it came in', () => {
    const bytes = Buffer.from(encodeReading({ passages: [] }))
    const { json } = decodeReading(bytes)
    bytes.fill(0)
    expect(String(json)).toBe('{"passages":[]}')
  })

  it.each(['', '{}', '1 2\n{}', 'a b c\n{}', '1 2 0', '-1 2 0\n{}'])('is not made of %j', (bytes) => {
    expect(() => decodeReading(Buffer.from(bytes))).toThrow('three numbers')
  })
})
