import { expect, it } from 'vitest'
import type { Decision } from '../../src/app/contradictions/decisions.ts'
import { describeContradiction, describeHistory } from '../../src/command/contradiction-view.ts'
import { foundContradiction, revenueClaim } from '../support/contradictions.ts'

it('shows both sides beside each other, in 80 columns', () => {
  expect(describeContradiction(foundContradiction({ further: 2 }), 80)).toMatchInlineSnapshot(`
    [
      "c2d9e1f0-7a4b-4c8e-b6d3-15f0a9e8d7c6",
      "Borealis: revenue, 2025",
      "conflict, money, severity high, confidence 0.86, open",
      "",
      "Annual report 2025                     | Memo of the board",
      "report, version 1                      | memo, version 1",
      "characters 12 to 60                    | characters 12 to 60",
      "as of 2026-02-16                       | no date",
      "says EUR 12.4m                         | says EUR 11.9m",
      "                                       |",
      ""Borealis reported revenue of EUR      | "Borealis reported revenue of EUR",
      "12.4m for 2025."                       | 11.9m for 2025."",
      "",
      "difference: 500,000 EUR (4.0 % of the larger)",
      "explanation: Revenue of Borealis for 2025 is EUR 12.4m in one document and EUR",
      "11.9m in another. (value)",
      "further places that say the same as one of them: 2",
      "opened 2026-11-15T09:30:00.000Z, updated 2026-11-15T09:31:00.000Z",
    ]
  `)
})

it('fits the terminal, and marks unknown values', () => {
  const found = foundContradiction({ subject: '', period: null })
  const lines = describeContradiction(found, 40)
  for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(40)
  expect(lines).toContain('revenue')
})

it('removes control characters of documents from the output', () => {
  const { a } = foundContradiction()
  const claim = revenueClaim(1, 'EUR\u001b[31m 1', { quote: 'Says\u001b]0;x\u0007 \u202eso\r\n twice.' })
  const side = { ...a, documentId: 'a\nb', quote: claim.quote, claim }
  const shown = [
    ...describeContradiction(foundContradiction({ a: side, note: 'A\u001b[31m note' }), 80),
    ...describeHistory(
      [decision({ holds: 'a', by: 'J.\u202e Doe', reason: 'So\r\n be\u0007 it.' })],
      foundContradiction({ a: side }),
      80,
    ),
  ]
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  expect(shown.filter((line) => /[\u0000-\u001f\u007f-\u009f\u202e]/.test(line))).toEqual([])
  expect(shown.join('\n')).toContain('"Says ]0;x so twice."')
  expect(shown).toContain('So be it.')
})

it('shows a report with the words of its author', () => {
  const side = { documentId: null, version: null, claimId: null, claim: null }
  const found = foundContradiction({
    kind: 'reported',
    confidence: null,
    a: { ...side, source: 'The lease', quote: 'It ends in 2031.' },
    b: { ...side, source: 'The letter', quote: 'It ends in 2029.' },
    note: 'Ask the lawyers.',
  })
  const shown = describeContradiction(found, 80)
  expect(shown).toContain('The lease and The letter, 2025')
  expect(shown).toContain('"It ends in 2031."                     | "It ends in 2029."')
  expect(shown).toContain('note: Ask the lawyers.')
  expect(shown.join('\n')).not.toMatch(/confidence|characters|version/)
})

it('prints decisions with author and reason', () => {
  const history = [
    decision({ result: 'reopened', decidedBy: 'evidence', documentIds: ['c', 'd'], actor: null }),
    decision({ result: 'resolved', holds: 'b', by: 'J. Doe', reason: 'The audited figure.' }),
    decision({ holds: 'a', decidedBy: 'policy', policies: ['default/settle', 'tenant/b'], actor: null }),
    decision({ result: 'dismissed', reason: 'None.' }),
    decision({ holds: 'both' }),
    decision({ holds: 'neither' }),
  ]
  expect(describeHistory(history, foundContradiction(), 100)).toEqual([
    '',
    '2026-11-15T09:32:00.000Z reopened, by evidence in c, d',
    '',
    '2026-11-15T09:32:00.000Z resolved, memo holds: "EUR 11.9m", by J. Doe, key-prefix',
    'The audited figure.',
    '',
    '2026-11-15T09:32:00.000Z resolved, report holds: "EUR 12.4m", by policy default/settle, tenant/b',
    '',
    '2026-11-15T09:32:00.000Z dismissed, by key-prefix',
    'None.',
    '',
    '2026-11-15T09:32:00.000Z resolved, both sides hold, by key-prefix',
    '',
    '2026-11-15T09:32:00.000Z resolved, neither side holds, by key-prefix',
  ])
  expect(describeHistory([], foundContradiction(), 80)).toEqual([])
})

function decision(changed: Partial<Decision>): Decision {
  return {
    decisionId: '91e4c7a2-5d3f-4b60-a8c1-7f2e6d5b4a39',
    epoch: 0,
    point: 'settle_contradiction',
    result: 'resolved',
    decidedBy: 'person',
    contradictionId: 'c2d9e1f0-7a4b-4c8e-b6d3-15f0a9e8d7c6',
    documentIds: ['report', 'memo'],
    holds: null,
    policyHash: null,
    policies: [],
    actor: 'key-prefix',
    seq: 7,
    decidedAt: new Date('2026-11-15T09:32:00Z'),
    by: null,
    reason: null,
    ...changed,
  }
}
