/**
 * Looks for what belongs to a tenant in a response that should not hold it. Whatever the caller itself sent with
 * the request may come back; everything else must be within what the caller was admitted to see.
 */
import { headersOf, payloadOf } from '../../harness/http.ts'
import type { HttpRequest, HttpResponse } from '../../harness/http.ts'
import type { Marks, Twin, Twins } from './twins.ts'

/** Whose marks a response may hold, by kind. Whole keys are not among them: nobody sees those again. */
export type ForeignSight = Readonly<Record<Exclude<keyof Marks, 'secrets'>, readonly Twin[]>>

export const NOTHING: ForeignSight = {
  tenantIds: [],
  names: [],
  keys: [],
  deciders: [],
  ids: [],
  content: [],
}

export interface Exposure {
  /** Bytes of marks that should not be there. */
  readonly bytes: number
  readonly marks: readonly string[]
}

export function findForeign(
  { left, right }: Twins,
  sight: ForeignSight,
  request: HttpRequest,
  { headers, text }: Pick<HttpResponse, 'headers' | 'text'>,
): Exposure {
  const sent = spell([request.path, ...headersOf(request).flat(), payloadOf(request.body).toString()])
  const shown = spell([...[...headers].flat(), text])
  const marks = [left, right]
    .flatMap((twin) => hiddenMarks(twin, sight))
    .filter((mark) => shown.includes(mark) && !sent.includes(mark))
  const bytes = marks.reduce((sum, mark) => sum + mark.length * (shown.split(mark).length - 1), 0)
  return { bytes, marks }
}

/** Whether the response holds something of this twin, so that a silent service cannot pass for a safe one. */
export function showsOwn({ marks: { ids, content } }: Twin, { text }: HttpResponse): boolean {
  return [...ids, ...content].some((mark) => text.includes(mark))
}

function hiddenMarks(twin: Twin, sight: ForeignSight): string[] {
  const kinds = Object.keys(NOTHING) as (keyof ForeignSight)[]
  const hidden = kinds.filter((kind) => !sight[kind].includes(twin))
  return [...hidden.flatMap((kind) => twin.marks[kind]), ...twin.marks.secrets]
}

/** Cursors are base64url: what hides in one is spelt out beside it. */
function spell(texts: readonly string[]): string {
  const all = texts.join('\n')
  const cursors = [...all.matchAll(/cursor(?:=|":")([A-Za-z0-9_-]+)/g)].map(([, cursor]) => cursor ?? '')
  return [all, ...cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString('utf8'))].join('\n')
}
