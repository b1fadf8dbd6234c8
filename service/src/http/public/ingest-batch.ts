import { IngestDocumentRequest, operations } from '@concord/contract'
import type { AcceptedDocument, Ingest, IngestRequest } from '../../app/documents/ingest.ts'
import { toAcceptedRecord, toIngestRequest } from '../ingest-records.ts'
import { toProblemRecord } from '../problems.ts'
import type { ProblemPlace } from '../problems.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { validateEntry } from '../validation.ts'

type Result =
  | { readonly accepted: true; readonly document: ReturnType<typeof toAcceptedRecord> }
  | { readonly accepted: false; readonly problem: ReturnType<typeof toProblemRecord> }

/** Each document stands for itself: one that is refused says why in its place and takes no other along. */
export function ingestBatch(ingest: Ingest, publicUrl: string): Route {
  return tenantRoute(operations.ingestBatch, async ({ who, body, requestId, answerBy }) => {
    const place = { publicUrl, requestId }
    const read = body.documents.map((entry, index) => readEntry(entry, index, answerBy))
    const requests = read.flatMap((each) => ('request' in each ? [each.request] : []))
    const settled = (await ingest.ingestAll(who, requests)).values()
    const results = read.map((each): Result => {
      if ('fault' in each) return { accepted: false, problem: toProblemRecord(each.fault, place) }
      return toResult(each.request, settled.next().value, place)
    })
    const accepted = results.filter((result) => result.accepted).length
    return { status: 200, body: { accepted, refused: results.length - accepted, results } }
  })
}

type ReadEntry = { readonly request: IngestRequest } | { readonly fault: unknown }

function readEntry(entry: unknown, index: number, answerBy: number): ReadEntry {
  try {
    const item = validateEntry(IngestDocumentRequest, entry, ['documents', index])
    return { request: { ...toIngestRequest(item), answerBy } }
  } catch (fault) {
    return { fault }
  }
}

function toResult(
  request: IngestRequest,
  settled: PromiseSettledResult<AcceptedDocument> | undefined,
  place: ProblemPlace,
): Result {
  if (settled?.status === 'fulfilled')
    return { accepted: true, document: toAcceptedRecord(request, settled.value) }
  return { accepted: false, problem: toProblemRecord(settled?.reason, place) }
}
