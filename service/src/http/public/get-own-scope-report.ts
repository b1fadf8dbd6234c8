import { operations, reportBounds } from '@concord/contract'
import { arrangeReport, REPORT_CSP, writeReport } from '@concord/client/report'
import type { ReportFormat } from '@concord/client/report'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { readReport } from '../../app/scopes/report.ts'
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

/** It reads up to thirty pages. Each is bounded in time by the database. */
export function getOwnScopeReport(deps: DocumentsDeps): Route {
  return takingLong(
    tenantFile(operations.getOwnScopeReport, async ({ who, params: { scopeId }, query: { format } }) => {
      const content = await readReport(deps, who, scopeId, reportBounds)
      const data = arrangeReport(toReportData(scopeId, content, new Date()))
      return {
        file: { type: TYPES[format], content: await writeReport(data, format) },
        headers: {
          // The words of documents are in it: it is kept as a file and never opened as a page of this service.
          'content-disposition': `attachment; filename="${scopeId}.${format}"`,
          'content-security-policy': `${REPORT_CSP}; frame-ancestors 'none'; sandbox`,
        },
      }
    }),
  )
}
