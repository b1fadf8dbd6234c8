/** Reports on a scope: the same files for the service and for the command line. */
import { toCsv } from './csv.ts'
import { toDocx } from './docx.ts'
import { toHtml } from './html.ts'
import { toMarkdown } from './markdown.ts'
import type { ReportData } from './report-data.ts'
import { toPlainJson } from './words.ts'

export { describeHolding, holdingIn } from './holding.ts'
export { REPORT_CSP } from './html.ts'
export { foreignLanguage, percentRead, readCell } from './reading-share.ts'
export type { AnyReading } from './reading-share.ts'
export { arrangeReport } from './report-data.ts'
export type { LeftOut, ReportData } from './report-data.ts'
export { STATES } from './states.ts'
export { locationText, partsInWords } from './wording.ts'
export { escapeJson, inThousands, oneLine, plural, shareText, stripControls, toPlainJson } from './words.ts'

const writers = {
  html: toHtml,
  md: toMarkdown,
  csv: toCsv,
  json: (data: ReportData) => `${toPlainJson(data)}\n`,
  docx: toDocx,
} as const satisfies Readonly<Record<string, (data: ReportData) => string | Promise<Buffer>>>

export type ReportFormat = keyof typeof writers

export const reportFormats: readonly ReportFormat[] = ['html', 'md', 'csv', 'json', 'docx']

export async function writeReport(data: ReportData, format: ReportFormat): Promise<string | Buffer> {
  return writers[format](data)
}
