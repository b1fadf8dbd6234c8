/** Which type a file is of, and which texts are sent as such instead of as a file. */
import { describe, expect, it } from 'vitest'
import { fileTypeOf, readShortText } from '../src/ingest/file-types.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('plain text', () => {
  it('is UTF-8 or says so, with or without a mark', () => {
    expect(readShortText('txt', bytes('\uFEFFZürich'))).toBe('Zürich')
    expect(readShortText('md', Buffer.from('\uFEFFa', 'utf16le'))).toBe('a')
    expect(() => readShortText('txt', new Uint8Array([0x5a, 0xfc, 0x72]))).toThrow(/UTF-8/)
    expect(() => readShortText('txt', bytes(' \n'))).toThrow(/no text/)
  })

  it.each([
    ['100,000 characters', 'a'.repeat(100_000), true],
    ['100,001 characters', 'a'.repeat(100_001), false],
    ['100,000 characters of two units', '😀'.repeat(100_000), true],
    ['100,001 characters of two units', '😀'.repeat(100_001), false],
  ])('of %s may or may not be sent as such', (_, text, isShort) => {
    expect(readShortText('txt', bytes(text)) !== undefined).toBe(isShort)
  })
})

it.each(['html', 'pdf', 'csv'] as const)('leaves %s to the service', (type) => {
  expect(readShortText(type, bytes('a'))).toBeUndefined()
})

it.each([
  ['a/b.TXT', 'txt'],
  ['b.markdown', 'md'],
  ['b.htm', 'html'],
  ['b.xlsx', 'xlsx'],
  ['b.eml', 'eml'],
  ['b.doc', undefined],
  ['b', undefined],
])('%s is %s', (path, type) => {
  expect(fileTypeOf(path)).toBe(type)
})
