import { describe, expect, it, vi } from 'vitest'
import { printRecord, printTable } from '../terminal/output.ts'

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

  it('no cell steers the terminal, and a line feed in one makes no line', () => {
    const hostile = 'a\u001B[2J\u009B31m\u007F\nb\u202E'
    expect(printed(() => printRecord({ id: hostile }, {}))).toBe('id  a [2J 31m b\n')
    expect(printed(() => printTable([{ id: hostile, size: 1 }], {}))).toBe(
      'id           size\na [2J 31m b  1\n',
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

  it('what a terminal would obey or not show is escaped, and is read back as it was', () => {
    const hostile = 'a\u001B[2J\u009B31m\u007F\u202E\u{E0041}'
    const line = printed(() => printRecord({ id: hostile }, { json: true }))
    expect(line).toMatch(/^[\u0020-\u007E]+\n$/)
    expect(JSON.parse(line)).toEqual({ id: hostile })
  })

  it('a table is one JSON array on a line, empty or not', () => {
    expect(JSON.parse(printed(() => printTable(rows, { json: true })))).toEqual(rows)
    expect(printed(() => printTable([], { json: true }))).toBe('[]\n')
  })
})
