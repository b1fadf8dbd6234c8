/** A case as a person has it: twelve documents in plain English, of eight types, with ten contradictions between them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDocx, makePdf, makeXlsx } from '@concord/tools/sample-files'

export const LONG_NAME = 'share-purchase-agreement-draft-4-with-comments-of-both-sides.docx'

const heading = (text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const body = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

const REPORT = makePdf([
  [
    'Annual report of Harbour Clinic Ltd for 2025',
    '',
    'Harbour Clinic Ltd had revenue of EUR 12.4m in 2025.',
    'Harbour Clinic Ltd employed 148 people on 31 December 2025.',
  ],
  [
    'Premises',
    '',
    'The lease of the Quay Street building runs until 30 June 2031.',
    'The annual rent of the Quay Street building is EUR 420,000.',
  ],
  ['Outlook', '', 'The new operating theatre opens in March 2027.'],
])

const AGREEMENT = makeDocx(
  [
    heading('Warranties'),
    body('The Seller warrants that Harbour Clinic Ltd had revenue of EUR 11.9m in 2025.'),
    body('The Seller warrants that Harbour Clinic Ltd employed 141 people on 31 December 2025.'),
    heading('Price'),
    body('The purchase price of Harbour Clinic Ltd is EUR 18.5m.'),
    heading('Premises'),
    body('The lease of the Quay Street building runs until 31 December 2029.'),
  ].join(''),
)

const FIGURES = makeXlsx({
  Leases: [
    ['Item', 'Annual rent', 'Ends'],
    ['Quay Street building', 'EUR 450,000', '30 June 2031'],
  ],
})

const PRESS = `<!doctype html><html lang="en"><head><title>Harbour Clinic to be sold</title></head><body>
<nav>Home | News</nav><h1>Harbour Clinic to be sold</h1>
<p>The purchase price of Harbour Clinic Ltd is EUR 19.2m.</p><p>The new operating theatre opens in May 2027.</p></body></html>`

const bankLetter = (day: string, amount: string, more: string) =>
  `From: Nordkyst Bank\nTo: Harbour Clinic Ltd\nDate: ${day} November 2025\n\nOur loan to Harbour Clinic Ltd amounts to EUR ${amount}. ${more}\n`

const LANDLORD = `From: Quay Street Estates <office@quaystreet.example>
Subject: Rent
Date: Thu, 6 Nov 2025 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

The annual rent of the Quay Street building is EUR 450,000.
`

const MINUTES = `# Minutes of the board, 12 November 2025

1. The revenue of Harbour Clinic Ltd in 2025 was EUR 12.4m.
2. The purchase price of Harbour Clinic Ltd is EUR 18.5m.
3. Sara Wiese will ask the insurer about the generator.
`

const NOTES = [
  'Rounds were quiet and the corridor floor was polished',
  'A delivery of gloves and gowns arrived and was counted twice',
  'The lift in the east wing stopped for a while and was reset by the porter',
  'The kitchen sent the wrong trays to the second floor and changed them',
]
const DAY_MS = 86_400_000
const DAYS = 2_000

/** More than 300,000 characters, with one figure in the middle that another document contradicts. */
function writeDiary(): string {
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(Date.UTC(2018, 0, 1) + at * DAY_MS).toISOString().slice(0, 10)
    const tested =
      at === DAYS / 2
        ? '\nThe emergency generator of Harbour Clinic was last tested on 4 September 2025.\n'
        : ''
    return `## ${day}\n\n${NOTES[at % 4]}. ${NOTES[(at + 1) % 4]}. Entry by the porter on duty.\n${tested}`
  })
  return `# House diary of Harbour Clinic\n\n${days.join('\n')}`
}

/** Writes the folder and returns the characters of its longest text. */
export async function writeClinicCase(folder: string): Promise<number> {
  const diary = writeDiary()
  const files: Readonly<Record<string, string | Buffer>> = {
    'annual-report-2025.pdf': REPORT,
    [LONG_NAME]: AGREEMENT,
    'figures.xlsx': FIGURES,
    'press-release.html': PRESS,
    'house-diary.md': diary,
    'minutes-of-the-board.md': MINUTES,
    'correspondence/2025-11-03 from the bank.txt': bankLetter(
      '3',
      '3.2m',
      'It falls due on 30 September 2027.',
    ),
    'correspondence/2025-11-05 from the bank.txt': bankLetter('5', '2.8m', 'We thank you for the payment.'),
    'correspondence/reply-of-the-landlord.eml': LANDLORD,
    'fire-inspection.txt':
      'The emergency generator of Harbour Clinic was last tested on 14 March 2024. The building has 62 beds.\n',
    'insurance-schedule.csv':
      'Item,Sum insured,Valid until\nBuilding,"EUR 9,000,000",31 December 2026\nEquipment,"EUR 2,400,000",31 December 2026\n',
    'patients-guide.txt': 'Welcome to Harbour Clinic. The building has 58 beds on two floors.\n',
  }
  await Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    }),
  )
  return diary.length
}
