import { operations } from '@concord/contract'
import { readHealth } from '../health.ts'
import type { HealthDeps } from '../health.ts'
import { answeringInOutage, platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getAdminHealth(deps: HealthDeps): Route {
  return answeringInOutage(
    platformRoute(operations.getAdminHealth, ({ who }) => {
      const { code, body } = readHealth(deps)
      return { status: code, body: { ...body, tier: 'admin', authTier: who.tier } }
    }),
  )
}
