import { describe, expect, it } from 'vitest'
import type { Leaf } from '../../../src/domain/certificate.ts'
import { createReadingTally } from '../../../src/domain/certificate/reading.ts'

type Reading = NonNullable<Extract<Leaf, { type: 'document' }>['reading']>

const WHOLE: Reading = {
  reader: 'rules',
  reader_version: '1',
  read: 'whole',
  characters: 100,
  characters_read: 100,
  claims: 3,
}

const document = (reading: Partial<Reading> | null): Leaf => ({
  type: 'document',
  document_id: 'a',
  version: 1,
  status: 'processed',
  reading: reading && { ...WHOLE, ...reading },
})

function totalsOf(...leaves: readonly Leaf[]) {
  const tally = createReadingTally()
  for (const leaf of leaves) tally.add(leaf)
  return tally.totals()
}

describe('what a certificate says about reading', () => {
  it('adds up readers, characters and gaps of all documents', () => {
    const totals = totalsOf(
      document({}),
      document({ reader_version: '2' }),
      document({ read: 'part', characters_read: 50 }),
      document({ claims: 0 }),
      document({ reader: 'model:a', read: 'none', characters_read: 0, claims: 0 }),
      document(null),
    )
    expect(totals).toEqual({
      readers: [
        { reader: 'model:a', reader_version: '1', documents: 1 },
        { reader: 'rules', reader_version: '1', documents: 3 },
        { reader: 'rules', reader_version: '2', documents: 1 },
      ],
      coverage: 0.7,
      characters: 500,
      characters_read: 350,
      documents_with_gaps: 3,
      claims: 0,
    })
  })

  it('says that all was read only if not one character is missing', () => {
    const long = { characters: 1_000_000_000, characters_read: 999_999_999 }
    expect(totalsOf(document(long)).coverage).toBe(0.999999)
    expect(totalsOf(document({})).coverage).toBe(1)
    expect(totalsOf().coverage).toBe(1)
  })
})
