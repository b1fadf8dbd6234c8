/** Claims to begin with. */
import type { Claim } from '../../src/claim.ts'

/** "The revenue of Borealis in 2025 is EUR 10m", or of another, another measure, another sum. */
export function statement(millions: number, subject = 'Borealis', attribute = 'revenue'): Claim {
  const sum = millions * 1_000_000
  return {
    kind: 'money',
    subject: { words: [subject.toLowerCase()], text: subject, from: 'clause' },
    attribute: { words: [attribute], text: attribute },
    context: [],
    qualifiers: [],
    value: {
      type: 'number',
      low: sum,
      high: sum,
      unit: 'EUR',
      step: 100_000,
      about: false,
      bound: null,
    },
    period: [20_089, 20_453],
    modality: 'actual',
    replaces: null,
    assertedAt: null,
    span: [0, 40],
    valueSpan: [30, 40],
    quote: `The ${attribute} of ${subject} in 2025 is EUR ${millions}m.`,
    valueText: `EUR ${millions}m`,
    confidence: 0.95,
  }
}
