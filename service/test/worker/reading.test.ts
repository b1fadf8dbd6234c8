import { describe, expect, it } from 'vitest'
import { readStructure } from '../../src/reading/structure.ts'
import { decodeReading, encodeReading } from '../../src/worker/reading.ts'

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
