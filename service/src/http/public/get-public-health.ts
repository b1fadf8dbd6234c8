import { operations } from '@concord/contract'
import { readHealth } from '../health.ts'
import type { HealthDeps } from '../health.ts'
import { openRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getPublicHealth(deps: HealthDeps): Route {
  return openRoute(operations.getPublicHealth, () => {
    const { code, body } = readHealth(deps)
    return { status: code, body }
  })
}
