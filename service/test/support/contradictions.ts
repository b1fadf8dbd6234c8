/** A contradiction as it is read back, for those that show one. */
import type { ContradictionSide, FoundContradiction } from '../../src/app/contradictions/contradictions.ts'
import type { LocatedClaim, NumberValue } from '../../src/domain/claim.ts'

export function moneyValue(amount: number): NumberValue {
  return { type: 'number', low: amount, high: amount, unit: 'EUR', step: 100_000, about: false, bound: null }
}

export function revenueClaim(
  amount: number,
  valueText: string,
  changed: Partial<LocatedClaim> = {},
): LocatedClaim {
  const quote = `Borealis reported revenue of ${valueText} for 2025.`
  const at = quote.indexOf(valueText)
  return {
    kind: 'money',
    subject: { words: ['borealis'], text: 'Borealis', from: 'clause' },
    attribute: { words: ['revenue'], text: 'revenue' },
    context: [],
    qualifiers: [],
    value: moneyValue(amount),
    period: [20_089, 20_453],
    modality: 'actual',
    replaces: null,
    assertedAt: null,
    span: [12, 12 + quote.length],
    valueSpan: [12 + at, 12 + at + valueText.length],
    quote,
    valueText,
    confidence: 0.9,
    ...changed,
  }
}

function side(documentId: string, source: string, claim: LocatedClaim): ContradictionSide {
  const claimId = `0b6f2a17-93c4-4e0d-8f55-6a1d2c3b4e5${documentId.length % 10}`
  return { claimId, documentId, version: 1, source, quote: claim.quote, claim }
}

export function foundContradiction(changed: Partial<FoundContradiction> = {}): FoundContradiction {
  return {
    contradictionId: 'c2d9e1f0-7a4b-4c8e-b6d3-15f0a9e8d7c6',
    scopeId: 'default',
    status: 'open',
    relation: 'conflict',
    kind: 'money',
    rule: 'value',
    title: null,
    subject: 'Borealis',
    attribute: 'revenue',
    period: '2025',
    severity: 'high',
    confidence: 0.86,
    explanation: 'Revenue of Borealis for 2025 is EUR 12.4m in one document and EUR 11.9m in another.',
    further: 0,
    a: side('report', 'Annual report 2025', revenueClaim(12_400_000, 'EUR 12.4m', { assertedAt: 20_500 })),
    b: side('memo', 'Memo of the board', revenueClaim(11_900_000, 'EUR 11.9m')),
    note: null,
    resolution: null,
    openedAt: new Date('2026-11-15T09:30:00Z'),
    updatedAt: new Date('2026-11-15T09:31:00Z'),
    ...changed,
  }
}
