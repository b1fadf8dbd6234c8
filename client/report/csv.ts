/** The contradictions of a report as CSV (RFC 4180): one line each, for a spreadsheet. */
import type { Contradiction } from '../src/index.ts'
import { oneLine } from './words.ts'
import type { ReportData } from './report-data.ts'
import { headingOf } from './heading.ts'
import { locationText } from './wording.ts'

const COLUMNS: readonly [string, (found: Contradiction) => string][] = [
  ['contradiction_id', ({ contradiction_id: id }) => id],
  ['about', headingOf],
  ['severity', ({ severity }) => severity],
  ['relation', ({ relation }) => relation],
  ['confidence', ({ confidence }) => confidence?.toFixed(2) ?? ''],
  ['status', ({ status }) => status],
  ['source_a', ({ a }) => a.source],
  ['value_a', ({ a }) => a.value?.text ?? ''],
  ['quote_a', ({ a }) => a.quote],
  ['location_a', ({ a }) => (a.location ? locationText(a.location) : '')],
  ['source_b', ({ b }) => b.source],
  ['value_b', ({ b }) => b.value?.text ?? ''],
  ['quote_b', ({ b }) => b.quote],
  ['location_b', ({ b }) => (b.location ? locationText(b.location) : '')],
  ['explanation', ({ explanation }) => explanation],
  ['holds', ({ resolution }) => resolution?.holds ?? ''],
  ['decided_by', ({ resolution }) => resolution?.by ?? resolution?.actor ?? ''],
  ['reason', ({ resolution }) => resolution?.reason ?? ''],
  ['opened_at', ({ opened_at: at }) => at],
]

export function toCsv({ contradictions }: ReportData): string {
  const rows = contradictions.map((found) => COLUMNS.map(([, read]) => cell(read(found))))
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

/**
 * A cell that begins like a formula would be run by a spreadsheet, so an apostrophe goes before it. Full-width signs count as
 * well: some spreadsheets read them as their narrow forms. A spreadsheet whose separator is a semicolon splits the cell
 * there, so the same goes for what follows one. No cell has a tab.
 */
function cell(value: string): string {
  const line = oneLine(value)
  const safe = line.replaceAll(/(^|;[\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu, "$1'")
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
