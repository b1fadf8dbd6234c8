/** Pages of lists. A query reads one row more than requested, to know whether there is a next page. */
import { Fault } from '../domain/fault.ts'

export interface PageRequest {
  readonly limit: number
  readonly cursor: string | undefined
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** The parameter for the cursor, and the field of the previous page that contains it. */
export interface CursorField {
  readonly sent: string
  readonly taken: string
}

const CURSOR: CursorField = { sent: 'cursor', taken: 'next_cursor' }

/** The cursor is opaque to callers, so its form may change with any release. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/**
 * Returns the parts of the position, each checked against its pattern. A cursor that the service did not create is
 * refused.
 */
export function decodeCursor<const Patterns extends readonly RegExp[]>(
  cursor: string | undefined,
  patterns: Patterns,
  field: CursorField = CURSOR,
): { [Index in keyof Patterns]: string } | undefined {
  if (cursor === undefined) return undefined
  const parts = parseParts(cursor)
  const good =
    parts?.length === patterns.length && patterns.every((pattern, index) => pattern.test(parts[index] ?? ''))
  if (!parts || !good) throw invalidCursor(field)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there are as many parts as patterns
  return parts as { [Index in keyof Patterns]: string }
}

export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  positionOf: (row: Row) => readonly string[],
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items: shown.map(toItem), nextCursor: more ? encodeCursor(positionOf(last)) : null }
}

function parseParts(cursor: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(parsed) && parsed.every((part) => typeof part === 'string') ? parsed : undefined
  } catch {
    return undefined
  }
}

function invalidCursor({ sent, taken }: CursorField): Fault {
  return new Fault('validation_failed', {
    fields: [
      {
        pointer: `query#/${sent}`,
        code: 'invalid_cursor',
        message: `Send ${taken} of the page before, unchanged.`,
      },
    ],
  })
}
