/**
 * A reading on its way from the child to the database. The worker decodes only the fields it needs; the rest passes
 * through as bytes and is neither parsed nor encoded again.
 */
import type { ReadClaim } from '../app/documents/keyed-claims.ts'
import type { LocatedClaim, ClaimKind } from '../domain/claim.ts'
import type { ReadingReport } from '../domain/reading-report.ts'

export interface Reading {
  readonly passages: number
  readonly sentences: number
  readonly report: ReadingReport
  /** The whole structure, as JSON in UTF-8. */
  readonly json: Buffer
  /** In the order of the text. */
  readonly claims: readonly ReadClaim[]
}

export interface EncodedClaim {
  readonly claim: LocatedClaim
  readonly keys: readonly string[]
  readonly valueKey: string
}

/**
 * Encodes a reading as lines: the numbers of passages, sentences and claims; the report; the structure; and for each
 * claim its keys and the claim itself. JSON contains no line breaks. Nothing is cut here: the reader has limits, and
 * its report names what it left out.
 */
export function encodeReading(
  structure: { readonly passages: readonly object[] },
  report: ReadingReport,
  found: readonly EncodedClaim[] = [],
): string {
  const { passages } = structure
  const sentences = passages.reduce((sum, passage) => sum + sentencesIn(passage), 0)
  return [
    `${passages.length} ${sentences} ${found.length}`,
    JSON.stringify(report),
    JSON.stringify(structure),
    ...found.flatMap(encodeClaim),
  ].join('\n')
}

function encodeClaim({ claim, keys, valueKey }: EncodedClaim): [filing: string, json: string] {
  return [JSON.stringify([claim.kind, valueKey, ...keys]), JSON.stringify(claim)]
}

/** Not every kind of passage has sentences. */
export function sentencesIn(passage: object): number {
  return 'sentences' in passage && Array.isArray(passage.sentences) ? passage.sentences.length : 0
}

const MAX_FIRST_LINE = 48
const LINE_BREAK = 10

/** Throws if the bytes are not a reading. The result is a copy, because the caller may reuse the bytes. */
export function decodeReading(bytes: Buffer): Reading {
  const line = bytes.toString('latin1', 0, MAX_FIRST_LINE)
  const [found, passages, sentences, count] = /^(\d+) (\d+) (\d+)\n/.exec(line) ?? []
  if (found === undefined) throw new Error('a reading begins with three numbers')
  const next = createLines(bytes, found.length)
  const report: ReadingReport = JSON.parse(next().toString('utf8'))
  const json = next()
  const claims = Array.from({ length: Number(count) }, () => decodeClaim(next(), next()))
  return { passages: Number(passages), sentences: Number(sentences), report, json, claims }
}

function decodeClaim(filing: Buffer, json: Buffer): ReadClaim {
  const [kind, valueKey, ...keys]: [ClaimKind, string, ...string[]] = JSON.parse(filing.toString('utf8'))
  return { kind, keys, valueKey, json }
}

/** Returns a function that copies the next line at each call. */
export function createLines(bytes: Buffer, start: number): () => Buffer {
  let from = start
  return () => {
    if (from > bytes.length) throw new Error('a reading ends too early')
    const at = bytes.indexOf(LINE_BREAK, from)
    const end = at === -1 ? bytes.length : at
    const line = Buffer.from(bytes.subarray(from, end))
    from = end + 1
    return line
  }
}
