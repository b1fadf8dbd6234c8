/** The face of the package: the commands of a tenant, and how their failures are explained. */
export { addTenantSideCommands } from './commands.ts'
export type { OperatorContradictions, SettlingOptions } from './contradictions.ts'
export type { OperatorScopes } from './scopes.ts'
export { showDemo } from './demo.ts'
export type { DemoOutput } from './demo.ts'
export { demoCases, demoReaders } from './demo/cases.ts'
export type { DemoReader } from './demo/cases.ts'
export { explainAnswer } from './failure.ts'
