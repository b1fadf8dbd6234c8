/** The runtime: the switch that lets work run, at three levels, of which the strictest wins. */
import { z } from 'zod'
import { Count, ScopeId, TenantId, Timestamp } from './identity.ts'

export const RuntimeState = z.enum(['running', 'paused', 'stopped']).meta({
  id: 'RuntimeState',
  description:
    '`running`: documents are processed. `paused`: nothing new starts, and work in flight finishes. `stopped`: nothing new starts, and results of work in flight are refused.',
})

export const RuntimeLevel = z.enum(['service', 'tenant', 'scope']).meta({
  id: 'RuntimeLevel',
  description: 'What the switch covers: the whole service, one tenant or one scope.',
})

export const RuntimeBody = z
  .strictObject({
    scope_id: ScopeId.optional().meta({
      description: 'Only this scope; everything that the credentials cover when left out.',
    }),
  })
  .meta({ id: 'RuntimeBody' })

export const Runtime = z
  .strictObject({
    level: RuntimeLevel,
    tenant_id: TenantId.nullable().meta({
      description: 'The tenant that the switch covers; null where it covers the whole service.',
    }),
    scope_id: ScopeId.nullable().meta({
      description: 'The scope that the switch covers; null where it covers a tenant or the whole service.',
    }),
    state: RuntimeState.meta({ description: 'Of this switch.' }),
    effective_state: RuntimeState.meta({ description: 'Of the strictest switch that applies here.' }),
    generation: Count.meta({ description: 'Raised by every restart.' }),
    changed: z.boolean().meta({ description: 'False when the switch stood there already.' }),
    in_flight: Count.meta({ description: 'Attempts still running.' }),
    changed_at: Timestamp.nullable().meta({ description: 'Null while nobody has moved the switch.' }),
    changed_by: z
      .string()
      .nullable()
      .meta({ description: 'Prefix of the key that moved the switch last; null while nobody has moved it.' }),
  })
  .meta({ id: 'Runtime' })
