/** The face of the package: the commands of a tenant, and how their failures are explained. */
export { addTenantSideCommands } from './commands.ts'
export { showDemo } from './demo.ts'
export { demoCases } from './demo/cases.ts'
export { explainAnswer } from './failure.ts'
