/** The face of the package: the commands of a tenant, and how they talk to a terminal. */
export { shorten, sideBySide, wrap } from './columns.ts'
export { addTenantSideCommands } from './commands.ts'
export type { OperatorContradictions, SettlingOptions } from './contradictions.ts'
export { showDemo } from './demo.ts'
export { explainAnswer } from './failure.ts'
export { printJson, printRecord, printTable } from './output.ts'
export type { Cell, OutputOptions } from './output.ts'
export { oneLine, stripControls, toPlainJson } from './words.ts'
