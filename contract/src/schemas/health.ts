/** What the health routes say. Public health tells a stranger nothing but whether the service serves. */
import { z } from 'zod'

export const Status = z.enum(['ok', 'degraded', 'unavailable']).meta({
  id: 'Status',
  description:
    '`degraded`: serving, but a part that carries (not decides) is missing. `unavailable`: not serving.',
})

export const HealthResponse = z.looseObject({ status: z.string() }).meta({ id: 'HealthResponse' })

export const TierHealthResponse = z
  .looseObject({
    status: z.string(),
    tier: z.string(),
    authTier: z.string().nullable().optional(),
  })
  .meta({ id: 'TierHealthResponse' })

const Check = z.strictObject({
  name: z.string(),
  ok: z.boolean(),
  /** True when the service cannot serve without it. */
  required: z.boolean(),
  age_ms: z.number().int().min(0),
})

export const Readiness = z.strictObject({ status: Status, checks: z.array(Check) }).meta({ id: 'Readiness' })

export const Liveness = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Liveness' })
