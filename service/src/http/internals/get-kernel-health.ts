import { operations } from '@concord/contract'
import { answerKernelHealth } from '../kernel-health.ts'
import type { KernelHealthRouteDeps } from '../kernel-health.ts'
import { answeringInOutage, platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getKernelHealth(deps: KernelHealthRouteDeps): Route {
  return answeringInOutage(platformRoute(operations.getKernelHealth, () => answerKernelHealth(deps)))
}
