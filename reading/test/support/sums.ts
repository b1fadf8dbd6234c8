import { expect } from 'vitest'
import type { ReadingReport } from '../../src/report.ts'
import { UNREAD_REASONS } from '../../src/report.ts'

/** The figures of a report add up: what was read and what was not is everything there is. */
export function expectSums(report: ReadingReport): void {
  const sum = (of: 'characters' | 'passages') => report.unread.reduce((total, part) => total + part[of], 0)
  expect(report.charactersRead + sum('characters')).toBe(report.characters)
  expect(report.passagesRead + sum('passages')).toBe(report.passages)
  expect(report.charactersRead).toBeGreaterThanOrEqual(0)
  expect(report.unread.every((part) => part.characters > 0)).toBe(true)
  const reasons = report.unread.map(({ reason }) => reason)
  expect(reasons).toEqual(UNREAD_REASONS.filter((reason) => reasons.includes(reason)))
  expect(report.languageConfidence).toBeGreaterThanOrEqual(0)
  expect(report.languageConfidence).toBeLessThanOrEqual(1)
}
