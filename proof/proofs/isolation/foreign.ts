/**
 * Looks for what belongs to a tenant in an answer that should not hold it. Whatever the caller itself sent with
 * the request may come back; everything else must be within what the caller was admitted to see.
 */
import type { Twin, Twins } from './twins.ts'
import type { Answer, WireRequest } from './wire.ts'

/** Whose marks an answer may hold, by kind. Whole keys and texts are not among them: nobody sees those again. */
export interface Sight {
  readonly tenantIds: readonly Twin[]
  readonly names: readonly Twin[]
  readonly keys: readonly Twin[]
  /** The id of the key that reported or decided something: whoever sees that sees who it was. */
  readonly deciders: readonly Twin[]
  readonly ids: readonly Twin[]
  readonly content: readonly Twin[]
}

export const NOTHING: Sight = { tenantIds: [], names: [], keys: [], deciders: [], ids: [], content: [] }

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

/** Whether the answer holds something of this twin, so that a silent service cannot pass for a safe one. */
export function showsOwn({ marks: { ids, content } }: Twin, answer: Answer): boolean {
  return [...ids, ...content].some((mark) => answer.body.includes(mark))
}

const KINDS = ['tenantIds', 'names', 'keys', 'deciders', 'ids', 'content'] as const

function hiddenMarks(twin: Twin, sight: Sight): string[] {
  const hidden = KINDS.filter((kind) => !sight[kind].includes(twin))
  return [...hidden.flatMap((kind) => twin.marks[kind]), ...twin.marks.secrets]
}

/** Cursors are base64url: what hides in one is spelt out beside it. */
function spell(texts: readonly string[]): string {
  const all = texts.join('\n')
  const cursors = [...all.matchAll(/cursor(?:=|":")([A-Za-z0-9_-]+)/g)].map(([, cursor]) => cursor ?? '')
  return [all, ...cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString('utf8'))].join('\n')
}
