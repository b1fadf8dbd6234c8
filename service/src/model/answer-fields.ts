/**
 * Parses the fields of an untrusted answer. A field that is missing, of another type, too long or not one of the
 * allowed words is null. Only own properties of plain objects count.
 */

/** A longer answer is invalid: no passage needs this much. */
const maxAnswer = 2_000_000

export type AnswerRecord = ReadonlyMap<string, unknown>

/** Parses the object of an answer, also inside a code fence; null if it is not an object. */
export function parseAnswer(content: string): AnswerRecord | null {
  if (content.length > maxAnswer) return null
  const bare = content
    .trim()
    .replace(/^```(?:json)?\s*/, '')
    .replace(/\s*```$/, '')
  try {
    return toRecord(JSON.parse(bare))
  } catch {
    return null
  }
}

export function toRecord(value: unknown): AnswerRecord | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return new Map(Object.entries(value))
}

export function listIn(record: AnswerRecord, name: string): readonly unknown[] | null {
  const value = record.get(name)
  return Array.isArray(value) ? value : null
}

/** Most lines are words with one space between them. */
const isPlain = /^[!-~]+(?: [!-~]+)*$/

/**
 * Invisible characters, which hide words or change the direction of a line. Joiners, which some scripts need, are not
 * among them.
 */
const unseen = /(?![\u200c\u200d])\p{Cf}/gu

/**
 * Returns one line of text: white space is collapsed, and control and invisible characters are removed. Null if it is
 * empty or too long.
 */
export function lineIn(record: AnswerRecord, name: string, max: number): string | null {
  const value = record.get(name)
  if (typeof value !== 'string' || value.length > max) return null
  if (isPlain.test(value)) return value
  // @point model.line
  const line = value
    .replaceAll(unseen, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed()
  return line === '' ? null : line
}

export function wordIn<Word extends string>(
  record: AnswerRecord,
  name: string,
  words: readonly Word[],
): Word | null {
  const value = record.get(name)
  return words.find((word) => word === value) ?? null
}

/** A number from 0 to 1. */
export function shareIn(record: AnswerRecord, name: string): number | null {
  const value = record.get(name)
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : null
}
