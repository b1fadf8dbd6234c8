import { operations } from '@concord/contract'
import { answerControlPlaneHealth } from '../kernel-health.ts'
import type { KernelHealthRouteDeps } from '../kernel-health.ts'
import { answeringInOutage, platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getAdminControlPlaneHealth(deps: KernelHealthRouteDeps): Route {
  return answeringInOutage(
    platformRoute(operations.getAdminControlPlaneHealth, () => answerControlPlaneHealth(deps)),
  )
}
