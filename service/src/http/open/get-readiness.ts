import { operations } from '@concord/contract'
import type { Readiness } from '../../app/health/readiness.ts'
import { openRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getReadiness(readiness: Readiness): Route {
  return openRoute(operations.getReadiness, () => {
    const { status, checks } = readiness.read()
    const body = {
      status,
      checks: checks.map(({ name, ok, required, ageMs }) => ({ name, ok, required, age_ms: ageMs })),
    }
    return { status: status === 'unavailable' ? 503 : 200, body }
  })
}
