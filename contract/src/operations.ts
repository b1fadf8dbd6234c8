/** Every operation of the service by its name: those that are served and those that are designed. */
import type { Operation } from './operation.ts'
import * as certificates from './operations/certificates.ts'
import * as claims from './operations/claims.ts'
import * as contradictions from './operations/contradictions.ts'
import * as decisions from './operations/decisions.ts'
import * as documents from './operations/documents.ts'
import * as events from './operations/events.ts'
import * as files from './operations/files.ts'
import * as health from './operations/health.ts'
import * as ingest from './operations/ingest.ts'
import * as kernel from './operations/kernel.ts'
import * as open from './operations/open.ts'
import * as policies from './operations/policies.ts'
import * as reports from './operations/reports.ts'
import * as rereads from './operations/rereads.ts'
import * as runtime from './operations/runtime.ts'
import * as scopes from './operations/scopes.ts'
import * as scopeViews from './operations/scope-views.ts'
import * as tenants from './operations/tenants.ts'

export const operations = {
  ...open,
  ...health,
  ...tenants,
  ...scopes,
  ...scopeViews,
  ...ingest,
  ...files,
  ...documents,
  ...rereads,
  ...reports,
  ...claims,
  ...contradictions,
  ...decisions,
  ...certificates,
  ...events,
  ...policies,
  ...runtime,
  ...kernel,
} as const

export type OperationName = keyof typeof operations

/** The names whose operation exists; the service must have a route for each, and for no other. */
export type ServedName = {
  [Name in OperationName]: (typeof operations)[Name]['served'] extends true ? Name : never
}[OperationName]

export const allOperations: readonly Operation[] = Object.values(operations)

export const servedOperations: readonly Operation[] = allOperations.filter((each) => each.served)
