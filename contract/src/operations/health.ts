/** One health route a tier. */
import { operation } from '../operation.ts'
import { HealthResponse, TierHealthResponse } from '../schemas/health.ts'

export const getPublicHealth = operation({
  name: 'getPublicHealth',
  method: 'GET',
  path: '/api/health',
  tier: 'public',
  anonymous: true,
  served: true,
  summary: 'Read the health of the service',
  description: 'Returns only a status, from a probe that runs in the background, so requests are cheap.',
  answers: { 200: HealthResponse, 503: HealthResponse },
  problems: [],
  noStore: true,
})

export const getAdminHealth = operation({
  name: 'getAdminHealth',
  method: 'GET',
  path: '/admin/health',
  tier: 'admin',
  served: true,
  summary: 'Read the health with an admin key',
  description: '`authTier` is the tier of the credential that was presented.',
  answers: { 200: TierHealthResponse, 503: TierHealthResponse },
  problems: [],
  noStore: true,
})

export const getInternalsHealth = operation({
  name: 'getInternalsHealth',
  method: 'GET',
  path: '/internals/health',
  tier: 'internals',
  served: true,
  summary: 'Read the health with an internals key',
  description: '`authTier` is the tier of the credential that was presented.',
  answers: { 200: TierHealthResponse, 503: TierHealthResponse },
  problems: [],
  noStore: true,
})
