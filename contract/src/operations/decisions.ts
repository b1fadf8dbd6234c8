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
  summary: 'List the decisions of a scope',
  description:
    'Decisions of people, policies and evidence, newest first. Decisions are never changed. Those of a ' +
    'contradiction are its complete history, also while it is withdrawn.',
  params: scopeParams,
  query: decisionsQuery,
  answers: { 200: pageOf(Decision) },
  problems: ['scope_not_found'],
})
