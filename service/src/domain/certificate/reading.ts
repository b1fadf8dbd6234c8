/**
 * The reading that a certificate states, added up from the leaves of its documents. The service adds it up to sign it, and a
 * verifier adds it up again to compare.
 */
import type { CertificateReading, Leaf } from '../certificate.ts'

/** The figures that follow from the leaves. How many claims were compared does not. */
export type CertifiedTotals = Omit<CertificateReading, 'claims_compared' | 'comparisons_incomplete'>

export interface ReadingTally {
  add(leaf: Leaf): void
  totals(): CertifiedTotals
}

export function createReadingTally(): ReadingTally {
  const readers = new Map<string, CertificateReading['readers'][number]>()
  let characters = 0
  let charactersRead = 0
  let gaps = 0
  let claims = 0
  return {
    add(leaf) {
      if (leaf.type === 'claim') claims += 1
      if (leaf.type !== 'document' || !leaf.reading) return
      const { reader, reader_version, read, ...counts } = leaf.reading
      const key = JSON.stringify([reader, reader_version])
      readers.set(key, { reader, reader_version, documents: (readers.get(key)?.documents ?? 0) + 1 })
      characters += counts.characters
      charactersRead += counts.characters_read
      if (read !== 'whole' || counts.claims === 0) gaps += 1
    },
    totals: () => ({
      readers: [...readers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, reader]) => reader),
      coverage: coverageOf(characters, charactersRead),
      characters,
      characters_read: charactersRead,
      documents_with_gaps: gaps,
      claims,
    }),
  }
}

/** In millionths, rounded down, so that it is 1 only where nothing is missing. */
function coverageOf(characters: number, charactersRead: number): number {
  if (charactersRead === characters) return 1
  return Math.floor((charactersRead / characters) * MILLION) / MILLION
}

const MILLION = 1_000_000
