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
  summary: 'Does the service serve',
  description:
    'Says only a status, from a probe that runs in the background; asking costs the service nothing.',
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
  summary: 'Health as the admin tier sees it',
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
  summary: 'Health as the internals tier sees it',
  description: '`authTier` is the tier of the credential that was presented.',
  answers: { 200: TierHealthResponse, 503: TierHealthResponse },
  problems: [],
  noStore: true,
})
