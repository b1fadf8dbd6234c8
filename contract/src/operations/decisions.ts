/** The operations on decisions. */
import { operation } from '../operation.ts'
import { Decision, decisionsQuery } from '../schemas/decisions.ts'
import { pageOf, scopeParams } from '../schemas/identity.ts'

export const listDecisions = operation({
  name: 'listDecisions',
  method: 'GET',
  path: '/api/scopes/{scopeId}/decisions',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'List what was decided in a scope',
  description:
    'Newest first, by people, policy and evidence. Decisions are never changed; those of a contradiction are its whole history, ' +
    'also while it is withdrawn.',
  params: scopeParams,
  query: decisionsQuery,
  answers: { 200: pageOf(Decision) },
  problems: ['scope_not_found'],
})
