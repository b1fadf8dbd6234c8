/** Events of a stream, each held against the schema of its kind as soon as it is looked at. */
import { CloudEvent, eventSchemas } from '@concord/contract'
import type { ConcordEvent } from '@concord/contract'
import { waitUntil } from '@concord/tools/launch'
import { expect } from 'vitest'
import type { RawFrame } from '@concord/proof/event-stream'
import type { AcceptanceEventStream } from './http/event-stream.ts'
import { createSubject } from './subject.ts'
import { newDocumentId, register } from './world/documents.ts'
import { bearer } from './world/tenants.ts'
import type { Tenant } from './world/tenants.ts'

/** The common part of all events; kinds that concern no document lack its id. */
export interface StreamedEvent extends Omit<ConcordEvent, 'data'> {
  /** Where the stream can be taken up again; on the stream of a scope it is the id of the event. */
  readonly position: string
  readonly data: {
    readonly tenant_id: string
    readonly scope_id: string
    readonly seq: number
    readonly document_id?: string
    readonly version?: number
    readonly superseded_by?: number
  }
}

const TIMEOUT_MS = 10_000

/** All events so far. What belongs to the connection rather than to the log is left out. */
export function eventsOf(stream: AcceptanceEventStream): readonly StreamedEvent[] {
  return stream
    .frames()
    .filter(({ event }) => event !== undefined && event !== 'resync')
    .map(parseEvent)
}

function parseEvent(frame: RawFrame): StreamedEvent {
  const sent: unknown = JSON.parse(frame.data ?? '')
  const { type, id, data } = CloudEvent.parse(sent)
  expect(eventSchemas.get(type)?.parse(sent)).toEqual(sent)
  expect(frame.event).toBe(type)
  // An event above the scopes has no place in any log, so its id is its own.
  if (data['seq'] !== null) expect(Number(id)).toBe(data['seq'])
  return { ...(sent as StreamedEvent), position: frame.id ?? '' }
}

/** The events up to and with the first that is looked for. */
export async function untilEvent(
  stream: AcceptanceEventStream,
  what: string,
  isIt: (event: StreamedEvent) => boolean,
): Promise<readonly StreamedEvent[]> {
  return waitUntil(
    () => {
      // Looked at without the schemas first: this is asked again and again.
      const raw = stream.frames().filter(({ event }) => event !== undefined && event !== 'resync')
      const place = raw.findIndex(({ data }) => isIt(JSON.parse(data ?? '') as StreamedEvent))
      return place !== -1 && eventsOf(stream).slice(0, place + 1)
    },
    { what: `${what} on the stream`, withinMs: TIMEOUT_MS, everyMs: 10 },
  )
}

/** Everything that the log of a scope has told until now. A document is registered to know where now is. */
export async function readLog(tenant: Tenant, scopeId: string): Promise<readonly StreamedEvent[]> {
  const mark = newDocumentId()
  await register(tenant, scopeId, { document_id: mark })
  using stream = await createSubject('streamOwnScopeEvents').open({
    headers: bearer(tenant.key),
    params: { scopeId },
    query: 'after=0',
  })
  return (await untilEvent(stream, mark, ({ subject }) => subject === mark)).slice(0, -1)
}

/** Lists the entries of the log about one document, kind by kind. */
export async function kindsOf(
  tenant: Tenant,
  scopeId: string,
  documentId: string,
): Promise<readonly string[]> {
  const log = await readLog(tenant, scopeId)
  return log.filter(({ data }) => data.document_id === documentId).map(({ type }) => type)
}
