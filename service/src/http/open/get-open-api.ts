import { openApiDocument, operations, servedOperations } from '@concord/contract'
import { openRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getOpenApi(version: string): Route {
  const body = { openapi: '3.1.0', ...openApiDocument(servedOperations, { version }) }
  return openRoute(operations.getOpenApi, () => ({ status: 200, body }))
}
