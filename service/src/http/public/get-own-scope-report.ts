import { operations, reportBounds } from '@concord/contract'
import { arrangeReport, REPORT_CSP, writeReport } from '@concord/client/report'
import type { ReportFormat } from '@concord/client/report'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { readReport } from '../../app/scopes/report.ts'
import type { TenantCaller } from '../../domain/caller.ts'
import { FairQueue } from '../../platform/fair-queue.ts'
import { takingLong, tenantFile } from '../route.ts'
import type { Route } from '../route.ts'
import { toReportData } from '../report-records.ts'

const TYPES: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/**
 * A report is built in memory, and writing it occupies the event loop. A tenant has at most two of the three reports that are
 * written at a time in this process; a caller that waits for longer is answered 503.
 */
const REPORT_TURNS = { slots: 3, waitMs: 5_000 }

/** It reads up to thirty pages. Each is bounded in time by the database. */
export function getOwnScopeReport(deps: DocumentsDeps): Route {
  const turns = new FairQueue(REPORT_TURNS)
  return takingLong(
    tenantFile(operations.getOwnScopeReport, async ({ who, params: { scopeId }, query: { format } }) => {
      const release = await turns.acquire(who.tenantId)
      const content = await writeContent(deps, who, scopeId, format).finally(release)
      return {
        file: { type: TYPES[format], content },
        headers: {
          // The words of documents are in it: it is kept as a file and never opened as a page of this service.
          'content-disposition': `attachment; filename="${scopeId}.${format}"`,
          'content-security-policy': `${REPORT_CSP}; frame-ancestors 'none'; sandbox`,
        },
      }
    }),
  )
}

async function writeContent(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  format: ReportFormat,
): Promise<string | Buffer> {
  const content = await readReport(deps, who, scopeId, reportBounds)
  return writeReport(arrangeReport(toReportData(scopeId, content, new Date())), format)
}
