import { describe, expect, it } from 'vitest'
import type { PlacedClaim } from '@concord/reading/src/finding.ts'
import { readClaims } from '../../src/claims.ts'
import { findIn, keysOf } from '../../src/comparing.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

function placed(documentId: string, text: string): PlacedClaim[] {
  return readClaims(text, readStructure(text)).map((claim, no) => ({ documentId, version: 1, no, claim }))
}

/** The rules by which two documents disagree, each once. */
function rules(a: string, b: string): string[] {
  const claims = [...placed('a', a), ...placed('b', b)]
  const keys = new Set(claims.flatMap(({ claim }) => keysOf(claim)))
  const found = [...keys].flatMap((key) =>
    findIn(
      key,
      claims.filter(({ claim }) => keysOf(claim).includes(key)),
    ),
  )
  return [...new Set(found.map(({ rule }) => rule))]
}

it('takes no denied verb for a correction between two pages without dates', () => {
  const pages = [
    'One bound is not reached on two cores.',
    'Two bounds that are not reached on two cores are named below the table.',
  ] as const
  expect(rules(...pages)).toEqual(['value'])
})

type Pair = readonly [a: string, b: string]

describe('a number that names one thing', () => {
  const miscopied: readonly Pair[] = [
    [
      'Client: Marlow Ltd\nPassport number: N4417820\n',
      'On file is a copy of passport N4471820 of the owner.',
    ],
    ['The bill is for meter number 18 4471 0932.', 'Supplier: Voltane\nMeter: 18 4417 0932\n'],
    ['The seal was found to be no. 884102.', 'Vessel: Siglind\nSeal number: 884120\n'],
    ['We inspected container TCLU 482913-6 today.', 'We opened container TCLU 482931-6 today.'],
  ]
  it.each(miscopied)('is copied wrongly: %s / %s', (a, b) => {
    expect(rules(a, b)).toEqual(['identity'])
  })

  const others: readonly Pair[] = [
    ['The meter has the number 18 4471 0932.', 'The meter has the number 18 4471 0932 as before.'],
    // Two of a series.
    ['Please pay invoice 2024-0117 today.', 'Please pay invoice 2024-0118 today.'],
    // Nothing in common: two things.
    ['On file is a copy of passport N4417820.', 'On file is a copy of passport K9025511.'],
    // Two claims of different things.
    ['The seal was found to be no. 884102.', 'The meter was found to be no. 884120.'],
  ]
  it.each(others)('is the same or of another: %s / %s', (a, b) => {
    expect(rules(a, b)).toEqual([])
  })

  it('is no amount, no year and no date', () => {
    const claims = placed('a', 'The price was 12000 in 2024, and 14,500 on 12.03.2025.')
    expect(claims.filter(({ claim: { value } }) => value.type === 'word' && value.family === 'code')).toEqual(
      [],
    )
  })
})

describe('a denial in one clause of a sentence', () => {
  const gainsaid: readonly Pair[] = [
    [
      'The cube samples were not taken, as the technician did not come.',
      'Cube samples were taken and sent to the laboratory.',
    ],
    [
      'The accounts have not been audited; they were examined by a friend of the house.',
      'The accounts were audited by Penrose and Sons.',
    ],
    ['Overtime is not paid.', 'Overtime is paid at time and a half.'],
  ]
  it.each(gainsaid)('gainsays who tells of it: %s / %s', (a, b) => {
    expect(rules(a, b).length).toBeGreaterThan(0)
  })

  const compatible: readonly Pair[] = [
    [
      'The cube samples were not taken, as the technician did not come.',
      'The core samples were taken on site.',
    ],
    ['The accounts have not been audited; they were examined.', 'The accounts were examined by a friend.'],
    ['Overtime is not paid.', 'Leave is paid at the usual rate.'],
  ]
  it.each(compatible)('says nothing of the rest: %s / %s', (a, b) => {
    expect(rules(a, b)).toEqual([])
  })
})

describe('words of which only one can be so', () => {
  const apart: readonly Pair[] = [
    ['The after-school club runs on Mondays and Wednesdays.', 'The after-school club meets on Tuesdays.'],
    [
      'The hoarding along the canal road is painted blue.',
      'The hoarding along the canal road is still grey.',
    ],
  ]
  it.each(apart)('disagree: %s / %s', (a, b) => {
    expect(rules(a, b)).toEqual(['exclusive'])
  })

  const together: readonly Pair[] = [
    // Before a noun they tell things apart.
    ['The blue bins are emptied by the council.', 'The red bins are emptied by the council.'],
    // One of the days is the same.
    ['The after-school club runs on Mondays and Wednesdays.', 'The after-school club meets on Mondays.'],
    // A claim of something else.
    ['The after-school club runs on Mondays.', 'The parents of the choir meet on Tuesdays.'],
  ]
  it.each(together)('need not disagree: %s / %s', (a, b) => {
    expect(rules(a, b)).toEqual([])
  })

  it('are held against each other only within weeks, for days come round', () => {
    const [a, b] = [
      'Date: 3 March 2025\n\nThe boiler in the old hall was serviced on Monday.\n',
      'Date: 9 June 2025\n\nThe boiler in the old hall was serviced on Friday.\n',
    ]
    expect(rules(a, b)).toEqual([])
    expect(rules(a, b.replace('9 June', '9 March'))).toEqual(['exclusive'])
  })
})

describe('an answered question', () => {
  it('is a statement that a sentence gainsays', () => {
    const form =
      'Form 7\n\nWithdrawals of consent: none\n\nAre the fire doors of the west wing locked at night? No\n'
    expect(rules(form, 'Two of the patients have withdrawn consent.').length).toBe(1)
    expect(rules(form, 'The fire doors of the west wing are locked at night.').length).toBeGreaterThan(0)
    expect(rules(form, 'The fire doors of the west wing are not locked at night.')).toEqual([])
    expect(rules(form, 'The side doors of the east wing are locked.')).toEqual([])
  })

  it('says nothing of a name that stands before something else', () => {
    const note = 'Notes\n\nMarco Hale: no adverse media\n\nElena Hale: no\n'
    expect(rules(note, 'Marco Hale and Elena Hale are named in the file of the bank.')).toEqual([])
  })

  it('tells how often', () => {
    const form = 'Form 7\n\nHow often are the backups tested? Every quarter\n'
    expect(rules(form, 'The backups are tested monthly.')).toEqual(['value'])
    expect(rules(form, 'The backups are tested quarterly.')).toEqual([])
  })
})

describe('what is laid down for whoever does something', () => {
  it('is a term like any other', () => {
    const fee = 'If you leave the contract early, an exit fee of GBP 300 applies.'
    expect(rules('There is no exit fee.', fee)).toEqual(['existence'])
    expect(
      rules('There is no exit fee.', 'If the law were changed, an exit fee of GBP 300 would apply.'),
    ).toEqual([])
  })
})

describe('who did it', () => {
  it('may stand behind the day on which it was done', () => {
    const a = 'The north scaffold was inspected on Monday by Jarek Wolny.'
    expect(rules(a, 'The north scaffold was inspected by Pete Sorrel.')).toContain('identity')
    expect(rules(a, 'The north scaffold was inspected by Jarek Wolny.')).toEqual([])
    expect(rules(a, 'The south lift was inspected by Pete Sorrel.')).toEqual([])
  })
})
