import { expect, it } from 'vitest'
import { plot } from '../src/plot.ts'

it('draws shares as columns between nought and one', () => {
  expect(plot([0, 0.5, 1], 11, 2)).toEqual(['1.0 ┤    ██', '0.0 ┤▁▁████'])
})

it('keeps to its width and leaves out the oldest', () => {
  const lines = plot([...Array.from({ length: 50 }, () => 0), 1], 15, 3)
  expect(Math.max(...lines.map((line) => line.length))).toBe(15)
  expect(lines[0]).toBe('1.0 ┤         █')
})
