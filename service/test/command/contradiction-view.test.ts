import { expect, it } from 'vitest'
import { describeContradiction } from '../../src/command/contradiction-view.ts'
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

it('fits the terminal, and says where something is not known', () => {
  const found = foundContradiction({ subject: '', period: null })
  const lines = describeContradiction(found, 40)
  for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(40)
  expect(lines).toContain('revenue')
})

it('lets no word of a document steer the terminal', () => {
  const { a } = foundContradiction()
  const claim = revenueClaim(1, 'EUR\u001b[31m 1', { quote: 'Says\u001b]0;x\u0007 \u202eso\r\n twice.' })
  const shown = describeContradiction(foundContradiction({ a: { ...a, documentId: 'a\nb', claim } }), 80)
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  expect(shown.filter((line) => /[\u0000-\u001f\u007f-\u009f\u202e]/.test(line))).toEqual([])
  expect(shown.join('\n')).toContain('"Says ]0;x so twice."')
})
