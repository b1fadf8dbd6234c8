/**
 * A reading on its way from the child that made it to the database: what the worker has to know of it, and the rest as
 * the text it is, which nobody in between takes apart or writes anew.
 */

export interface Reading {
  readonly passages: number
  readonly sentences: number
  /** The whole structure, as JSON in UTF-8. */
  readonly json: Buffer
}

/** Two numbers on a line of their own, then the structure. */
export function encodeReading(structure: { readonly passages: readonly object[] }): string {
  const { passages } = structure
  const sentences = passages.reduce((sum, passage) => sum + sentencesIn(passage), 0)
  return `${passages.length} ${sentences}\n${JSON.stringify(structure)}`
}

/** Not every kind of passage has sentences. */
function sentencesIn(passage: object): number {
  return 'sentences' in passage && Array.isArray(passage.sentences) ? passage.sentences.length : 0
}

const LONGEST_LINE = 32

/** Throws on bytes that are no reading. Copies: the bytes may be used again as soon as this returns. */
export function decodeReading(bytes: Buffer): Reading {
  const line = bytes.toString('latin1', 0, LONGEST_LINE)
  const [found, passages, sentences] = /^(\d+) (\d+)\n/.exec(line) ?? []
  if (found === undefined) throw new Error('a reading begins with two numbers')
  return {
    passages: Number(passages),
    sentences: Number(sentences),
    json: Buffer.from(bytes.subarray(found.length)),
  }
}
