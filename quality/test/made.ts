/** Hand-made cases and reports, small enough to be counted on one hand. */
import { readSide } from '../src/sides.ts'
import type { GoldCase, GoldFinding, GoldTrap } from '../src/gold.ts'
import type { Evidence, Report } from '../src/report.ts'

export const texts = new Map([
  ['D1', 'The fund held 40 houses in March. Its manager is Ida Roth. The lift works.'],
  ['D2', 'At the end of March there were 52 houses, according to the register. Ida Roth manages it.'],
  ['D3', 'Houses by region\n\nNorth    11\nSouth    12\nWest    13\n\nAll regions are listed.'],
])

interface Quotes {
  readonly a: readonly [document: string, quote: string]
  readonly b: readonly [document: string, quote: string]
}

export function finding(quotes: Quotes, more: Partial<GoldFinding> = {}): GoldFinding {
  return {
    id: 'F1',
    relation: 'conflict',
    kind: 'value',
    subject: 'fund',
    attribute: 'houses',
    severity: 'low',
    difficulty: 'easy',
    why: '',
    ...sides(quotes, more.kind === 'quantity'),
    ...more,
  }
}

export function trap(quotes: Quotes, kind = 'other_period'): GoldTrap {
  return { id: 'T1', trap: kind, why: '', ...sides(quotes, false) }
}

function sides({ a, b }: Quotes, isSum: boolean): Pick<GoldFinding, 'a' | 'b'> {
  const [left, right] = [a, b].map(([document, quote]) => [{ document, quote }])
  return {
    a: readSide(left ?? [], right ?? [], isSum, texts),
    b: readSide(right ?? [], left ?? [], isSum, texts),
  }
}

export function report(quotes: Quotes, more: Partial<Report> = {}): Report {
  return {
    relation: 'conflict',
    kind: 'count',
    rule: 'value',
    severity: 'low',
    confidence: 0.9,
    score: null,
    a: evidence(...quotes.a),
    b: evidence(...quotes.b),
    detail: [],
    ...more,
  }
}

function evidence(document: string, quote: string): Evidence {
  const start = texts.get(document)?.indexOf(quote) ?? -1
  return { document, start, end: start + quote.length, quote, value: null }
}

export function caseOf(findings: readonly GoldFinding[], traps: readonly GoldTrap[]): GoldCase {
  const documents = [...texts].map(([id, text]) => ({ id, name: id, text }))
  return { name: 'case', domain: 'houses', scope: { name: 'case', documents }, findings, traps }
}
