/** Scopes: one case or file of a tenant, whose documents should agree with each other. */
import { z } from 'zod'
import { text } from '../text.ts'
import { ListedConvergence } from './convergence.ts'
import type { DocumentStatus } from './documents.ts'
import { Count, countsOf, ScopeId, Timestamp } from './identity.ts'
import { PolicyText } from './policies.ts'
import { RuntimeState } from './runtime.ts'

export const CreateScopeBody = z
  .strictObject({
    scope_id: ScopeId,
    display_name: text({
      min: 1,
      max: 500,
      description: 'Display name of the scope.',
      example: 'Acme: purchase of Borealis',
    }).optional(),
    policy: PolicyText.optional(),
  })
  .meta({ id: 'CreateScopeBody' })

/** Policies are the administrator's to write, so a tenant's own scope begins without any. */
export const CreateOwnScopeBody = CreateScopeBody.omit({ policy: true }).meta({ id: 'CreateOwnScopeBody' })

export const Scope = z
  .strictObject({
    scope_id: ScopeId,
    display_name: z
      .string()
      .nullable()
      .meta({ description: 'Display name of the scope; null if it has none.' }),
    epoch: z.int().min(0).meta({ description: 'Generation of the scope; a reset raises it.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Scope' })

export const ScopeRuntime = z
  .strictObject({
    own: RuntimeState.meta({ description: 'State of the switch of this scope.' }),
    effective: RuntimeState.meta({ description: 'State of the strictest switch that applies to it.' }),
    generation: Count.meta({ description: 'Raised by every restart of this scope.' }),
  })
  .meta({ id: 'ScopeRuntime', description: 'The runtime switches that apply to the scope.' })

/** A count for every status, so that a reader need not ask whether one is there. */
export const documentCounts = {
  total: Count.meta({ description: 'All documents, including removed ones.' }),
  by_status: z
    .strictObject(
      countsOf<z.output<typeof DocumentStatus>>({
        registered: 'Documents without text.',
        attached: 'Documents with text that are not queued yet.',
        queued: 'Documents that wait to be processed.',
        processing: 'Documents that are being processed.',
        processed: 'Documents whose newest version was read and compared.',
        held: 'Documents that are held by policy until a person releases them.',
        failed: 'Documents whose last attempt failed.',
        superseded: 'Documents whose version was replaced by a newer one.',
        removed: 'Documents that were removed; only id and status are left.',
      }),
    )
    .meta({ id: 'DocumentsByStatus', description: 'Documents by status; `queued` is the number that wait.' }),
}

export const ListedScope = Scope.extend({
  runtime: ScopeRuntime,
  documents: z
    .strictObject(documentCounts)
    .meta({ description: 'How many documents the scope has, in all and by status.' }),
  convergence: ListedConvergence,
}).meta({ id: 'ListedScope' })
