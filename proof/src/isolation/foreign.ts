/**
 * Looks for what belongs to a tenant in an answer that should not hold it. Whatever the caller itself sent with
 * the request may come back; everything else must be within what the caller was admitted to see.
 */
import type { Twin, Twins } from './twins.ts'
import type { Answer, WireRequest } from './wire.ts'

/** Whose marks an answer may hold, by kind. Whole keys are not among them: nobody sees those again. */
export interface Sight {
  readonly names: readonly Twin[]
  readonly keys: readonly Twin[]
  readonly content: readonly Twin[]
}

export const NOTHING: Sight = { names: [], keys: [], content: [] }

export interface Exposure {
  /** Bytes of marks that should not be there. */
  readonly bytes: number
  readonly marks: readonly string[]
}

export function findForeign(twins: Twins, sight: Sight, request: WireRequest, answer: Answer): Exposure {
  const sent = spell([request.path, ...request.headers.flat(), request.body ?? ''])
  const shown = spell([...answer.headers.flat(), answer.body])
  const marks = [twins.left, twins.right]
    .flatMap((twin) => hiddenMarks(twin, sight))
    .filter((mark) => shown.includes(mark) && !sent.includes(mark))
  const bytes = marks.reduce((sum, mark) => sum + mark.length * (shown.split(mark).length - 1), 0)
  return { bytes, marks }
}

/** Whether the answer holds content of this twin, so that a silent service cannot pass for a safe one. */
export function showsContent(twin: Twin, answer: Answer): boolean {
  return twin.marks.content.some((mark) => answer.body.includes(mark))
}

function hiddenMarks(twin: Twin, sight: Sight): string[] {
  const { names, keys, content, secrets } = twin.marks
  return [
    ...(sight.names.includes(twin) ? [] : names),
    ...(sight.keys.includes(twin) ? [] : keys),
    ...(sight.content.includes(twin) ? [] : content),
    ...secrets,
  ]
}

/** Cursors are base64url: what hides in one is spelt out beside it. */
function spell(texts: readonly string[]): string {
  const all = texts.join('\n')
  const cursors = [...all.matchAll(/cursor(?:=|":")([A-Za-z0-9_-]+)/g)].map(([, cursor]) => cursor ?? '')
  return [all, ...cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString('utf8'))].join('\n')
}
