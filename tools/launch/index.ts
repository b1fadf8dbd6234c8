/** The face of this folder: processes and databases of a Concord that belongs to the caller alone. */
export type { Child, Exit } from './child.ts'
export { runChild, startChild } from './child.ts'
export { asSuperuser, countConnections, createDatabase, databaseExists, dropDatabase } from './database.ts'
export type { Deployment, DeploymentOptions, RunningApi } from './deployment.ts'
export { createDeployment, deploymentEnv, freePort, untilReady } from './deployment.ts'
export { waitUntil } from './waiting.ts'
export { ensureTemplate } from './template.ts'
