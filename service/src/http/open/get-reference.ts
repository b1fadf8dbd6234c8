import { operations } from '@concord/contract'
import { REFERENCE_HEADERS, REFERENCE_PAGE } from '../reference.ts'
import type { Route } from '../route.ts'

export function getReference(): Route {
  return {
    operation: operations.getReference,
    auth: 'none',
    answer: async () => ({ status: 200, body: REFERENCE_PAGE, headers: REFERENCE_HEADERS }),
  }
}
