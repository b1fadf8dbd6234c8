/** How a command prints, for the command line of a tenant and for that of the server. It knows neither commands nor the client. */
export { shorten, sideBySide, wrap } from './columns.ts'
export { printJson, printRecord, printTable } from './output.ts'
export type { Cell, OutputOptions } from './output.ts'
export { escapeJson, oneLine, stripControls, toPlainJson } from './words.ts'
