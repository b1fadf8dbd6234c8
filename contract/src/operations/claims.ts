/** The operations on claims of the documents of a scope. */
import { operation } from '../operation.ts'
import { Claim, ClaimKind } from '../schemas/claims.ts'
import { PeriodFilter, wordsIn } from '../schemas/filters.ts'
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
    'Claims of the current version of each document, in the order of document ids and, within a document, of ' +
    'their offsets. Filters on words and times decrypt and compare at most 1,000 claims a request, so a page may ' +
    'have fewer items than `limit`, or none, while `next_cursor` is not null: request the next page.',
  params: scopeParams,
  query: pageQuery.extend({
    document_id: DocumentId.optional().meta({ description: 'Only claims of this document.' }),
    kind: ClaimKind.optional().meta({ description: 'Only claims of this kind.' }),
    q: wordsIn(
      'the quote, the entity, the attribute, the qualifiers or the value',
      'revenue 12.4m',
    ).optional(),
    entity: wordsIn('the entity', 'borealis').optional(),
    attribute: wordsIn('the attribute', 'revenue').optional(),
    period: PeriodFilter.optional(),
  }),
  answers: { 200: pageOf(Claim) },
  problems: ['scope_not_found', 'document_not_found'],
})
