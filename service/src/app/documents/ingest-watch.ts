/** Counts the outcomes of ingest and records the traces of requests that are traced. */
import type { TenantCaller } from '../../domain/caller.ts'
import type { DocumentsDeps } from './documents.ts'
import type { AcceptedDocument, Ingest } from './ingest.ts'
import type { TraceRecorder } from '../processing/work-traces.ts'

export interface IngestWatch {
  readonly ingested: (outcome: 'accepted' | 'replayed' | 'refused') => void
  /** Undefined if tracing is off. */
  readonly notes: TraceRecorder | undefined
}

export function watchIngest(ingest: Ingest, { ingested, notes }: IngestWatch): Ingest {
  function noteAccepted(
    { tenantId, trace }: TenantCaller,
    scopeId: string,
    accepted: AcceptedDocument,
  ): void {
    ingested(accepted.replayed ? 'replayed' : 'accepted')
    // A replayed request queues nothing; the document belongs to the trace of the first request.
    if (!trace || accepted.replayed) return
    notes?.note(tenantId, { scopeId, seq: accepted.seq, traceparent: trace.traceparent })
  }

  return {
    drain: ingest.drain,
    async ingestDocument(who, what) {
      const startMs = performance.now()
      try {
        const accepted = await ingest.ingestDocument(who, what)
        noteAccepted(who, what.scopeId, accepted)
        return accepted
      } catch (error) {
        ingested('refused')
        throw error
      } finally {
        who.trace?.step('commit', startMs, performance.now(), { 'concord.documents': 1 })
      }
    },
    async ingestAll(who, all) {
      const startMs = performance.now()
      const settled = await ingest.ingestAll(who, all)
      who.trace?.step('commit', startMs, performance.now(), { 'concord.documents': all.length })
      for (const [index, each] of settled.entries()) {
        const scopeId = all[index]?.scopeId
        if (each.status === 'fulfilled' && scopeId !== undefined) noteAccepted(who, scopeId, each.value)
        else ingested('refused')
      }
      return settled
    },
  }
}

/** The maximum number of documents recorded for one trace. A larger trace is unreadable. */
const MAX_FOLLOWED = 100

/** Records traces of documents that existed before and were queued by a traced request. */
export function watchQueued(notes: TraceRecorder): NonNullable<DocumentsDeps['noteQueued']> {
  return ({ tenantId, trace }, scopeId, firstSeq, count) => {
    if (!trace) return
    const { traceparent } = trace
    for (let seq = firstSeq; seq < firstSeq + Math.min(count, MAX_FOLLOWED); seq += 1)
      notes.note(tenantId, { scopeId, seq, traceparent })
  }
}
