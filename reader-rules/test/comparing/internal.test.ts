/** Contradictions inside one document, read from text as the service reads it. */
import { describe, expect, it } from 'vitest'
import { readClaims } from '../../src/claims.ts'
import { findIn, keysOf } from '../../src/comparing.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

function findInside(...paragraphs: readonly string[]) {
  const text = paragraphs.join('\n\n')
  const claims = readClaims(text, readStructure(text)).map((claim, no) => ({
    documentId: 'report',
    version: 1,
    no,
    claim,
  }))
  const keys = new Set(claims.flatMap(({ claim }) => keysOf(claim)))
  return [...keys].flatMap((key) =>
    findIn(
      key,
      claims.filter(({ claim }) => keysOf(claim).includes(key)),
    ),
  )
}

describe('inside one document', () => {
  it('two sums for one year are a conflict, and the explanation says that one document says both', () => {
    const found = findInside(
      'The revenue of Borealis Ltd in 2025 was EUR 10m.',
      'The board is pleased. Borealis Ltd had revenue of EUR 12m in 2025.',
    )
    expect(found).toMatchObject([{ relation: 'conflict', a: { no: 0 }, b: { documentId: 'report' } }])
    expect(found[0]?.explanation).toBe(
      'Revenue of Borealis Ltd (2025): One document says EUR 10m, and elsewhere EUR 12m: a difference of 2,000,000 (16.7 %).',
    )
  })

  it.each([
    [
      'a correction',
      'The deficit of 2023 was reported as EUR 1.9m.',
      'Pension obligations had been left out. After correction the deficit of 2023 is EUR 2.4m.',
    ],
    [
      'other years',
      'Borealis Ltd had revenue of EUR 10m in 2024.',
      'Borealis Ltd had revenue of EUR 12m in 2025.',
    ],
    [
      'other companies',
      'Borealis Ltd had revenue of EUR 10m in 2025.',
      'Aurora Ltd had revenue of EUR 12m in 2025.',
    ],
    [
      'a forecast beside a figure',
      'Borealis Ltd had revenue of EUR 10m in 2025.',
      'Borealis Ltd was expected to have revenue of EUR 12m in 2025.',
    ],
    [
      'another measure',
      'Borealis Ltd had revenue of EUR 10m in 2025.',
      'Borealis Ltd had recurring revenue of EUR 8m in 2025.',
    ],
    [
      'things with numbers',
      'Engine 1 used 0.2 litres an hour in January 2025.',
      'Engine 2 used 0.4 litres an hour in January 2025.',
    ],
    ['fields', 'Revenue in 2025: EUR 10m', 'Revenue in 2025: EUR 12m'],
    ['rows of a table', '| | 2025 |\n|---|---|\n| Revenue | EUR 10m |\n| Revenue | EUR 12m |'],
    ['one sentence', 'The revenue of Borealis Ltd in 2025 rose from EUR 10m to EUR 12m.'],
    [
      'sentences without a name and a time',
      'The notice period is 6 months.',
      'The notice period is 3 months.',
    ],
  ])('%s: no contradiction', (_, ...paragraphs) => {
    expect(findInside(...paragraphs)).toEqual([])
  })
})
