/** What the documents of a scope claim. */
import { operation } from '../operation.ts'
import { Claim } from '../schemas/claims.ts'
import { DocumentId, pageOf, pageQuery, scopeParams } from '../schemas/identity.ts'

export const listClaims = operation({
  name: 'listClaims',
  method: 'GET',
  path: '/api/scopes/{scopeId}/claims',
  tier: 'public',
  served: false,
  extension: true,
  summary: 'List the claims of a scope',
  description: 'Those of the newest version of each document, or of one document, with quotes and offsets.',
  params: scopeParams,
  query: pageQuery.extend({ document_id: DocumentId.optional() }),
  answers: { 200: pageOf(Claim) },
  problems: ['scope_not_found', 'document_not_found'],
})
