/** Converts log entries to CloudEvents 1.0 in frames of an event stream. */
import type { LogEntry } from '../app/events/event-feed.ts'
import type { KernelLogEntry } from '../app/events/kernel-feed.ts'
import type { EventFrame } from './route.ts'

export interface LogPlace {
  readonly tenantId: string
  readonly scopeId: string
}

/** The event is the same on every stream; the id of the frame is the resume position of its stream. */
export function toEventFrame(
  { tenantId, scopeId }: LogPlace,
  entry: LogEntry,
  position = String(entry.seq),
): EventFrame {
  return {
    id: position,
    event: entry.kind,
    data: {
      // @point http.send.scope-event
      specversion: '1.0',
      id: String(entry.seq),
      source: `/tenants/${tenantId}/scopes/${scopeId}`,
      type: entry.kind,
      subject: entry.documentId ?? contradictionOf(entry) ?? scopeId,
      time: entry.at.toISOString(),
      data: {
        tenant_id: tenantId,
        scope_id: scopeId,
        epoch: entry.epoch,
        seq: entry.seq,
        ...(entry.documentId !== null && { document_id: entry.documentId, version: entry.version }),
        ...entry.data,
      },
    },
  }
}

/** Converts an entry for the operator's stream: as on the stream of its scope, or with the kernel as source if it has no scope. */
export function toKernelFrame(entry: KernelLogEntry, position: string): EventFrame {
  if (entry.subject === null) return toEventFrame(entry.position, entry, position)
  return {
    id: position,
    event: entry.kind,
    data: {
      // @point http.send.kernel-event
      specversion: '1.0',
      id: String(entry.position.kernelSeq),
      source: '/kernel',
      type: entry.kind,
      subject: entry.subject,
      time: entry.at.toISOString(),
      data: entry.data,
    },
  }
}

/** The contradiction of an event, if there is one. */
function contradictionOf({ data }: LogEntry): string | undefined {
  const id = data['contradiction_id']
  return typeof id === 'string' ? id : undefined
}
