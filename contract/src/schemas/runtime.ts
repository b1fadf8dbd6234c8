/** The runtime: the switch that lets work run, at three levels, of which the strictest wins. */
import { z } from 'zod'
import { Count, ScopeId, TenantId, Timestamp } from './identity.ts'

export const RuntimeState = z.enum(['running', 'paused', 'stopped']).meta({ id: 'RuntimeState' })

export const RuntimeLevel = z.enum(['service', 'tenant', 'scope']).meta({ id: 'RuntimeLevel' })

export const RuntimeBody = z.strictObject({ scope_id: ScopeId.optional() }).meta({ id: 'RuntimeBody' })

export const Runtime = z
  .strictObject({
    level: RuntimeLevel,
    tenant_id: TenantId.nullable(),
    scope_id: ScopeId.nullable(),
    state: RuntimeState.meta({ description: 'Of this switch.' }),
    effective_state: RuntimeState.meta({ description: 'Of the strictest switch that applies here.' }),
    generation: Count.meta({ description: 'Raised by every restart.' }),
    changed: z.boolean().meta({ description: 'False when the switch stood there already.' }),
    in_flight: Count.meta({ description: 'Attempts still running.' }),
    changed_at: Timestamp.nullable().meta({ description: 'Null while nobody has moved the switch.' }),
    changed_by: z.string().nullable(),
  })
  .meta({ id: 'Runtime' })
