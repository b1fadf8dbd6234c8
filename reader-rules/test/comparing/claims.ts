/** Claims for tests, in as few words as their story needs. */
import type {
  Claim,
  Days,
  ExistenceValue,
  NameValue,
  NumberValue,
  Value,
} from '@concord/reading/src/claim.ts'
import type { PlacedClaim } from '@concord/reading/src/finding.ts'

export interface TestClaim extends Partial<Omit<Claim, 'subject' | 'attribute'>> {
  readonly subject?: string
  readonly from?: Claim['subject']['from']
  readonly attribute?: string
}

/** The head noun of an English phrase stands last; claims have it first and go backwards. */
function headFirst(phrase: string): string[] {
  return phrase.split(' ').filter(Boolean).toReversed()
}

export function claim(draft: TestClaim = {}): Claim {
  const { subject = '', attribute = 'revenue', from = subject === '' ? 'none' : 'clause', ...rest } = draft
  return {
    kind: 'money',
    subject: { words: subject.toLowerCase().split(' ').filter(Boolean), text: subject, from },
    attribute: { words: headFirst(attribute), text: attribute },
    context: [],
    qualifiers: [],
    value: money(10),
    period: null,
    modality: 'actual',
    replaces: null,
    assertedAt: null,
    span: [0, 10],
    valueSpan: [0, 5],
    quote: 'a sentence',
    valueText: 'a value',
    confidence: 0.9,
    ...rest,
  }
}

export function amount(value: number, unit: string, more: Partial<NumberValue> = {}): NumberValue {
  return { type: 'number', low: value, high: value, unit, step: 1, about: false, bound: null, ...more }
}

export function money(millions: number, more: Partial<NumberValue> = {}): NumberValue {
  return amount(millions * 1_000_000, 'EUR', { step: 100_000, ...more })
}

export function percent(value: number): NumberValue {
  return amount(value, '%', { step: 0.1 })
}

export function name(text: string): NameValue {
  return { type: 'name', words: text.toLowerCase().split(' ') }
}

export function existence(exists: boolean, blanket = false): ExistenceValue {
  return { type: 'existence', exists, blanket }
}

export function word(family: string, text: string, rank: number | null = null): Value {
  return { type: 'word', family, word: text, rank }
}

export function day(text: string): number {
  return Date.parse(text) / 86_400_000
}

export function year(of: number): Days {
  return [day(`${of}-01-01`), day(`${of}-12-31`)]
}

export function on(text: string): Days {
  return [day(text), day(text)]
}

export function placed(documentId: string, made: Claim, no = 0): PlacedClaim {
  return { documentId, version: 1, no, claim: made }
}
