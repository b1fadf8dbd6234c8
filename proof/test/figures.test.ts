import { describe, expect, it } from 'vitest'
import { createFigures } from '../harness/figures.ts'

describe('figures', () => {
  it('tell what was missed, and whether any of it had to be exact', () => {
    const lines: string[] = []
    const figures = createFigures((line) => lines.push(line))
    figures.exactly('lost', 0, 0)
    figures.atMost('takeover', 11.5, 12, ' s')
    expect(figures.missed).toEqual([])
    figures.atMost('takeover', 12.5, 12, ' s')
    figures.atLeast('share', 0.7, 0.8)
    expect(figures.missed).toEqual(['takeover', 'share'])
    expect(figures.broken).toBe(false)
    figures.exactly('lost', 1, 0)
    expect(figures.broken).toBe(true)
    expect(lines.at(-1)).toBe('lost: 1 (= 0)  MISSED')
  })

  it('count what was found, and print the first of it where it misses', () => {
    const lines: string[] = []
    const figures = createFigures((line) => lines.push(line))
    figures.none('lost', [])
    figures.atMost('late', ['a', 'b'], 2)
    figures.none('lost', 'abcdefghijkl'.split(''))
    expect(lines.slice(2, 4)).toEqual(['lost: 12 (= 0)  MISSED', '  a'])
    expect(lines.slice(-2)).toEqual(['  j', '  and 2 more'])
    expect(figures.missed).toEqual(['lost'])
  })
})
