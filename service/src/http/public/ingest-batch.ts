import { operations } from '@concord/contract'
import type { Accepted, Ingest, IngestRequest } from '../../app/ingest.ts'
import { toAcceptedRecord, toIngestRequest } from '../ingest-records.ts'
import { problemDocument, toFault } from '../problems.ts'
import type { ProblemPlace } from '../problems.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function ingestBatch(ingest: Ingest, publicUrl: string): Route {
  return tenantRoute(operations.ingestBatch, async ({ who, body, requestId, answerBy }) => {
    const requests = body.documents.map((item) => ({ ...toIngestRequest(item), answerBy }))
    const settled = await ingest.ingestAll(who, requests)
    const results = requests.map((request, index) =>
      toResult(request, settled[index], { publicUrl, requestId }),
    )
    const accepted = results.filter((result) => result.accepted).length
    return { status: 200, body: { accepted, refused: results.length - accepted, results } }
  })
}

/** Each document stands for itself: one that is refused says why in its place and takes no other along. */
function toResult(
  request: IngestRequest,
  settled: PromiseSettledResult<Accepted> | undefined,
  place: ProblemPlace,
) {
  if (settled?.status === 'fulfilled')
    return { accepted: true, document: toAcceptedRecord(request, settled.value) } as const
  const { code, fields } = toFault(settled?.reason)
  const problem = problemDocument(code, place, fields)
  return { accepted: false, problem: { ...problem, errors: fields && [...fields] } } as const
}
