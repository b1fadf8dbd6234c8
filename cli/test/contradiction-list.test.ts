/** A contradiction in a list: however long the names of its documents are, a person sees what each side says. */
import type { Contradiction, ContradictionSide } from '@concord/client'
import { expect, it } from 'vitest'
import { describeBriefly, describeContradiction } from '../src/contradiction-view.ts'

const NAME = 'share-purchase-agreement-draft-4-with-comments-of-both-sides-and-of-the-bank.docx'

const side = (source: string, said: string): ContradictionSide => ({
  source,
  document_id: `case/${source}`,
  version: 1,
  claim_id: null,
  quote: `The lease runs until ${said}.`,
  start: 10,
  end: 60,
  location: null,
  value: {
    kind: 'date',
    text: said,
    low: null,
    high: null,
    unit: null,
    approximate: false,
    bound: null,
    first_day: null,
    last_day: null,
    word: null,
    family: null,
    exists: null,
  },
  asserted_at: null,
})

const found: Contradiction = {
  contradiction_id: 'adb2ffbe-a822-0856-ade3-5768237dd088',
  scope_id: 'case',
  status: 'open',
  relation: 'conflict',
  kind: 'date',
  title: null,
  entity: 'Quay Street',
  attribute: 'lease',
  period: null,
  severity: 'high',
  confidence: 0.98,
  internal: false,
  a: side(NAME, '31 December 2029'),
  b: side('report.pdf', '30 June 2031'),
  difference: { amount: 546, unit: 'd', share: null },
  explanation: 'The dates are 546 days apart.',
  further: 0,
  note: null,
  decided_by: 'date',
  opened_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
  resolution: null,
}

it.each([60, 80])('keeps what a side says and cuts its name, in %s columns', (width) => {
  const lines = describeBriefly(found, width)
  expect(lines.find((line) => line.includes('share-purchase'))).toMatch(/….*: 31 December 2029$/)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
})

it('names days as such', () => {
  expect(describeContradiction(found, 80)).toContain('difference: 546 days')
})
