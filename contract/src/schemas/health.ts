/** The schemas of the health routes. Public health tells a stranger nothing but whether the service serves. */
import { z } from 'zod'

const Status = z.enum(['ok', 'degraded', 'unavailable']).meta({
  id: 'Status',
  description: '`degraded`: serving, but an optional dependency is unavailable. `unavailable`: not serving.',
})

export const HealthResponse = z
  .looseObject({ status: z.string().meta({ description: '`ok` while the service serves.' }) })
  .meta({ id: 'HealthResponse' })

export const TierHealthResponse = z
  .looseObject({
    status: z.string().meta({ description: '`ok` while the service serves.' }),
    tier: z.string().meta({ description: 'The tier of the path: `admin` or `internals`.' }),
    authTier: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The tier of the key that was sent; null if it is unknown.' }),
  })
  .meta({ id: 'TierHealthResponse' })

const Check = z.strictObject({
  name: z.string().meta({ description: 'The name of the check.' }),
  ok: z.boolean().meta({ description: 'Whether the check succeeded.' }),
  required: z.boolean().meta({ description: 'Whether the service needs it to serve.' }),
  age_ms: z.number().int().min(0).meta({ description: 'Milliseconds since the last check.' }),
})

export const Readiness = z
  .strictObject({
    status: Status,
    checks: z.array(Check).meta({ description: 'The last result of each check.' }),
  })
  .meta({ id: 'Readiness' })

export const Liveness = z
  .strictObject({ status: z.literal('ok').meta({ description: 'Always `ok`: the process answers.' }) })
  .meta({ id: 'Liveness' })
