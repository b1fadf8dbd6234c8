/** The runtime: the switch that lets work run, at three levels, of which the strictest wins. */
import { z } from 'zod'
import { Count, ScopeId, TenantId, Timestamp } from './identity.ts'

export const RuntimeState = z.enum(['running', 'paused', 'stopped']).meta({
  id: 'RuntimeState',
  description:
    '`running`: documents are processed. `paused`: no attempt starts, and work in flight finishes. `stopped`: no ' +
    'attempt starts, and results of work in flight are refused.',
})

export const RuntimeLevel = z.enum(['service', 'tenant', 'scope']).meta({
  id: 'RuntimeLevel',
  description: 'What the switch covers: the whole service, one tenant or one scope.',
})

export const RuntimeBody = z
  .strictObject({
    scope_id: ScopeId.optional().meta({
      description: 'Only this scope. If omitted, everything that the credentials cover.',
    }),
  })
  .meta({ id: 'RuntimeBody' })

export const Runtime = z
  .strictObject({
    level: RuntimeLevel,
    tenant_id: TenantId.nullable().meta({
      description: 'The tenant of the switch; null for the switch of the whole service.',
    }),
    scope_id: ScopeId.nullable().meta({
      description: 'The scope of the switch; null for the switch of a tenant or of the whole service.',
    }),
    state: RuntimeState.meta({ description: 'State of this switch.' }),
    effective_state: RuntimeState.meta({ description: 'State of the strictest switch that applies here.' }),
    generation: Count.meta({ description: 'Raised by every restart.' }),
    changed: z.boolean().meta({ description: 'False if the switch was already in this state.' }),
    in_flight: Count.meta({ description: 'Attempts in flight.' }),
    changed_at: Timestamp.nullable().meta({
      description: 'When the switch was last changed; null if it never was.',
    }),
    changed_by: z
      .string()
      .nullable()
      .meta({ description: 'Prefix of the key that last changed the switch; null if it was never changed.' }),
  })
  .meta({ id: 'Runtime' })
