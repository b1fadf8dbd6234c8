/** The second face of the package: how a command prints. It loads neither the commands nor the client. */
export { shorten, sideBySide, wrap } from './columns.ts'
export { describeHolding, locationText } from '@concord/client/report'
export { printJson, printRecord, printTable } from './output.ts'
export type { Cell, OutputOptions } from './output.ts'
export { escapeJson, oneLine, stripControls, toPlainJson } from './words.ts'
