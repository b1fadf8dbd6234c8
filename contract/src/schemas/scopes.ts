/** Scopes: one case or file of a tenant, whose documents should agree with each other. */
import { z } from 'zod'
import { text } from '../text.ts'
import { ScopeId, Timestamp } from './identity.ts'

export const CreateScopeBody = z
  .strictObject({
    scope_id: ScopeId,
    display_name: text({ min: 1, max: 500, example: 'Acme: purchase of Borealis' }).optional(),
  })
  .meta({ id: 'CreateScopeBody' })

export const Scope = z
  .strictObject({
    scope_id: ScopeId,
    display_name: z.string().nullable(),
    epoch: z.int().min(0).meta({ description: 'Generation of the scope; a reset raises it.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Scope' })
