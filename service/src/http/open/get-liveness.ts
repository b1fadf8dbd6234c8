import { operations } from '@concord/contract'
import { openRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getLiveness(): Route {
  return openRoute(operations.getLiveness, () => ({ status: 200, body: { status: 'ok' } }))
}
