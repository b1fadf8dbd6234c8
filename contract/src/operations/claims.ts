/** What the documents of a scope claim. */
import { operation } from '../operation.ts'
import { Claim, ClaimKind } from '../schemas/claims.ts'
import { DocumentId, pageOf, pageQuery, scopeParams } from '../schemas/identity.ts'

export const listClaims = operation({
  name: 'listClaims',
  method: 'GET',
  path: '/api/scopes/{scopeId}/claims',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'List the claims of a scope',
  description:
    'Those of the version of each document that is in force, in the order of document ids and, within a document, of their ' +
    'places; those of one document or one kind on request.',
  params: scopeParams,
  query: pageQuery.extend({ document_id: DocumentId.optional(), kind: ClaimKind.optional() }),
  answers: { 200: pageOf(Claim) },
  problems: ['scope_not_found', 'document_not_found'],
})
