/** Scopes: one case or file of a tenant, whose documents should agree with each other. */
import { z } from 'zod'
import { recordOf } from '../keys.ts'
import { text } from '../text.ts'
import { ListedConvergence } from './convergence.ts'
import { DocumentStatus } from './documents.ts'
import { Count, ScopeId, Timestamp } from './identity.ts'
import { PolicyText } from './policies.ts'
import { RuntimeState } from './runtime.ts'

export const CreateScopeBody = z
  .strictObject({
    scope_id: ScopeId,
    display_name: text({ min: 1, max: 500, example: 'Acme: purchase of Borealis' }).optional(),
    policy: PolicyText.optional(),
  })
  .meta({ id: 'CreateScopeBody' })

/** Policies are the administrator's to write, so a tenant's own scope begins without any. */
export const CreateOwnScopeBody = CreateScopeBody.omit({ policy: true }).meta({ id: 'CreateOwnScopeBody' })

export const Scope = z
  .strictObject({
    scope_id: ScopeId,
    display_name: z.string().nullable(),
    epoch: z.int().min(0).meta({ description: 'Generation of the scope; a reset raises it.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Scope' })

export const ScopeRuntime = z
  .strictObject({
    own: RuntimeState.meta({ description: 'Of the switch of this scope.' }),
    effective: RuntimeState.meta({ description: 'Of the strictest switch that applies to it.' }),
    generation: Count.meta({ description: 'Raised by every restart of this scope.' }),
  })
  .meta({ id: 'ScopeRuntime' })

/** A count for every status, so that a reader need not ask whether one is there. */
export const documentCounts = {
  total: Count.meta({ description: 'All documents, those included of which only the mark is left.' }),
  by_status: z
    .strictObject(recordOf(DocumentStatus.options, Count))
    .meta({ id: 'DocumentsByStatus', description: '`queued` is how many wait.' }),
}

export const ListedScope = Scope.extend({
  runtime: ScopeRuntime,
  documents: z.strictObject(documentCounts),
  convergence: ListedConvergence,
}).meta({ id: 'ListedScope' })
