import { describe, expect, it, vi } from 'vitest'
import { printRecord, printTable } from '../src/output.ts'

function printed(print: () => void): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    print()
    return write.mock.calls.map(([text]) => String(text)).join('')
  } finally {
    write.mockRestore()
  }
}

const rows = [
  { id: 'a', name: 'Acme', size: 1 },
  { id: 'longer', name: null, size: 22 },
]

describe('for people', () => {
  it('a record is one line a field, with the values below each other', () => {
    expect(printed(() => printRecord({ id: 'a', display_name: null }, {}))).toBe(
      'id            a\ndisplay_name  -\n',
    )
  })

  it('a table has a heading and columns as wide as their widest cell, and no trailing spaces', () => {
    expect(printed(() => printTable(rows, {}))).toBe(
      'id      name  size\na       Acme  1\nlonger  -     22\n',
    )
  })

  it('an empty table says so', () => {
    expect(printed(() => printTable([], {}))).toBe('(none)\n')
  })
})

describe('for programs', () => {
  it('a record is one JSON object on a line', () => {
    expect(printed(() => printRecord({ id: 'a', name: null }, { json: true }))).toBe(
      '{"id":"a","name":null}\n',
    )
  })

  it('a table is one JSON array on a line, empty or not', () => {
    expect(JSON.parse(printed(() => printTable(rows, { json: true })))).toEqual(rows)
    expect(printed(() => printTable([], { json: true }))).toBe('[]\n')
  })
})
