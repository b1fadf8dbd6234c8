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
})
