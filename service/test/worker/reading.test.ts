import { describe, expect, it } from 'vitest'
import { readStructure } from '@concord/reading/src/structure.ts'
import { decodeReading, encodeReading } from '../../src/worker/reading.ts'
import { statement } from '../support/claims.ts'
import { makeReport } from '../support/reading-reports.ts'

describe('a reading', () => {
  it('arrives with what is counted of it, and otherwise to the byte as it was written', () => {
    const structure = { passages: [{ sentences: ['one', 'zwölf 🎈'] }, { level: 1 }, { sentences: [] }] }
    const { passages, sentences, json } = decodeReading(Buffer.from(encodeReading(structure, makeReport())))
    expect({ passages, sentences }).toEqual({ passages: 3, sentences: 2 })
    expect(String(json)).toBe(JSON.stringify(structure))
  })

  it('of a real text counts what a look at the structure counts', () => {
    const text = '# Report\n\nIt was signed. Nobody objected.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
    const structure = readStructure(text)
    const { passages, sentences } = decodeReading(Buffer.from(encodeReading(structure, makeReport())))
    expect(passages).toBe(structure.passages.length)
    expect(sentences).toBe(2)
  })

  it('brings its claims, each with what it is filed under, and to the byte as it was written', () => {
    const found = [statement(10), { ...statement(12), quote: 'Zeile\n“zwölf” 🎈' }].map((claim) => ({
      claim,
      keys: ['a|b', 'c\nd'],
      valueKey: 'number:1',
    }))
    const { claims, json } = decodeReading(Buffer.from(encodeReading({ passages: [] }, makeReport(), found)))
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

  it('brings its report, and as many claims as the reader found', () => {
    const report = makeReport({
      language: 'de',
      languageConfidence: 0.98,
      charactersRead: 0,
      passagesRead: 0,
      unread: [{ reason: 'language', characters: 120, passages: 3 }],
    })
    const found = Array.from({ length: 3_000 }, () => ({ claim: statement(1), keys: ['k'], valueKey: 'v' }))
    const reading = decodeReading(Buffer.from(encodeReading({ passages: [] }, report, found)))
    expect(reading.report).toEqual(report)
    expect(reading.claims).toHaveLength(3_000)
  })

  it('that ends before its claims do is none', () => {
    expect(() => decodeReading(Buffer.from('0 0 1\n{}\n{}'))).toThrow('too early')
  })

  it('keeps nothing of the bytes it came in', () => {
    const bytes = Buffer.from(encodeReading({ passages: [] }, makeReport()))
    const { json } = decodeReading(bytes)
    bytes.fill(0)
    expect(String(json)).toBe('{"passages":[]}')
  })

  it.each(['', '{}', '1 2\n{}', 'a b c\n{}', '1 2 0', '-1 2 0\n{}'])('is not made of %j', (bytes) => {
    expect(() => decodeReading(Buffer.from(bytes))).toThrow('three numbers')
  })
})
