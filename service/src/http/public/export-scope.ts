import { operations } from '@concord/contract'
import { Readable } from 'node:stream'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { exportScope as exportPages } from '../../app/scopes/export.ts'
import type { ExportPage } from '../../app/scopes/export.ts'
import { toClaimRecord } from '../claim-records.ts'
import { toContradictionRecord } from '../contradiction-records.ts'
import { toDecisionRecord } from '../decision-records.ts'
import { toDocumentRecord } from '../document-records.ts'
import { takingLong, tenantFile } from '../route.ts'
import type { Route } from '../route.ts'

/** The next page is read when the one before was sent, however slowly the caller reads. */
export function exportScope(deps: DocumentsDeps): Route {
  return takingLong(
    tenantFile(operations.exportScope, async ({ who, params: { scopeId } }) => {
      const pages = exportPages(deps, who, scopeId)
      // With it, what keeps the scope from being read is answered as a problem.
      const first = await pages.next()
      const content = Readable.from(linesOf(scopeId, first, pages), { objectMode: false })
      return {
        file: { type: 'application/x-ndjson; charset=utf-8', content },
        headers: { 'content-disposition': `attachment; filename="${scopeId}.ndjson"` },
      }
    }),
  )
}

async function* linesOf(
  scopeId: string,
  first: IteratorResult<ExportPage, void>,
  rest: AsyncGenerator<ExportPage, void>,
): AsyncGenerator<Buffer> {
  const counts = { document: 0, claim: 0, contradiction: 0, decision: 0 }
  for await (const page of joined(first, rest)) {
    const { kind, items } = page
    counts[kind] += items.length
    const lines = recordsOf(scopeId, page).map((record) => JSON.stringify({ kind, record }))
    if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
  }
  const { document: documents, claim: claims, contradiction: contradictions, decision: decisions } = counts
  const end = { kind: 'end', documents, claims, contradictions, decisions }
  yield Buffer.from(`${JSON.stringify(end)}\n`)
}

async function* joined(
  first: IteratorResult<ExportPage, void>,
  rest: AsyncGenerator<ExportPage, void>,
): AsyncGenerator<ExportPage> {
  if (!first.done) yield first.value
  yield* rest
}

function recordsOf(scopeId: string, page: ExportPage): readonly object[] {
  switch (page.kind) {
    case 'document':
      return page.items.map(toDocumentRecord)
    case 'claim':
      return page.items.map(toClaimRecord)
    case 'contradiction':
      return page.items.map(toContradictionRecord)
    case 'decision':
      return page.items.map((decision) => toDecisionRecord(scopeId, decision))
  }
}
