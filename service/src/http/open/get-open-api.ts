import { openApiDocument, operations, servedOperations } from '@concord/contract'
import { openRoute } from '../route.ts'
import type { Route } from '../route.ts'

/** Made when somebody asks for it: it takes longer than all other routes together, and most processes are never asked. */
export function getOpenApi(version: string): Route {
  const make = () => ({ openapi: '3.1.0', ...openApiDocument(servedOperations, { version }) })
  let body: ReturnType<typeof make> | undefined
  return openRoute(operations.getOpenApi, () => ({ status: 200, body: (body ??= make()) }))
}
