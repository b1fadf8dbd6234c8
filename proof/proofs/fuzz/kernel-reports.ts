/** No dispatcher and no worker run behind a target, so those who report on them answer 503, and that is right. */
import type { Answer } from '../../harness/http.ts'
import type { Operation } from './document.ts'

const REPORTS: ReadonlySet<string> = new Set([
  'getKernelHealth',
  'getControlPlaneHealth',
  'getControlPlaneHealthDeprecated',
  'getAdminControlPlaneHealth',
])

/** The report itself: a problem in its place is a failure like any other. */
export function isKernelReport(
  operation: Pick<Operation, 'id'> | undefined,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
): boolean {
  const isJson = headers.get('content-type')?.split(';')[0]?.trim() === 'application/json'
  return operation !== undefined && REPORTS.has(operation.id) && status === 503 && isJson
}
