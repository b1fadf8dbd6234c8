/**
 * The totals of the reading in a certificate, computed from the leaves of its documents. The service computes them to sign
 * them, and a verifier computes them again to compare.
 */
import type { CertificateReading, Leaf } from '../certificate.ts'

/** The fields that the leaves determine. The number of compared claims is not among them. */
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

/** Returns a share rounded down to millionths, so that it is 1 only if everything was read. */
function coverageOf(characters: number, charactersRead: number): number {
  if (charactersRead === characters) return 1
  return Math.floor((charactersRead / characters) * MILLION) / MILLION
}

const MILLION = 1_000_000
