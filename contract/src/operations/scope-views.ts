/** A scope at a glance, over time, and gone. */
import { operation } from '../operation.ts'
import { Convergence } from '../schemas/convergence.ts'
import { scopeParams } from '../schemas/identity.ts'
import { DeletedScope, metricsQuery, ResetScope, ScopeMetrics, ScopeSummary } from '../schemas/scope-views.ts'

export const getScopeSummary = operation({
  name: 'getScopeSummary',
  method: 'GET',
  path: '/admin/scopes/{scopeId}/summary',
  tier: 'admin',
  tenantKey: true,
  served: true,
  summary: 'A scope at one glance',
  description:
    'Runtime, documents by status, since when the oldest one waits, claims, contradictions, how settled it is and what ' +
    'is in the way, where the log ends and when something last happened.',
  params: scopeParams,
  answers: { 200: ScopeSummary },
  problems: ['scope_not_found'],
  conditional: true,
})

const overTime =
  'What was accepted, processed and failed, how long it had waited and how long it took, point by point. A reset begins anew.'

export const getScopeMetrics = operation({
  name: 'getScopeMetrics',
  method: 'GET',
  path: '/admin/scopes/{scopeId}/metrics',
  tier: 'admin',
  tenantKey: true,
  served: true,
  summary: 'A scope over time',
  description: overTime,
  params: scopeParams,
  query: metricsQuery,
  answers: { 200: ScopeMetrics },
  problems: ['scope_not_found'],
})

export const getOwnScopeMetrics = operation({
  name: 'getOwnScopeMetrics',
  method: 'GET',
  path: '/api/scopes/{scopeId}/metrics',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'One of your scopes over time',
  description: overTime,
  params: scopeParams,
  query: metricsQuery,
  answers: { 200: ScopeMetrics },
  problems: ['scope_not_found'],
})

export const getOwnScopeConvergence = operation({
  name: 'getOwnScopeConvergence',
  method: 'GET',
  path: '/api/scopes/{scopeId}/convergence',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'How settled one of your scopes is',
  description:
    'The score with its parts, how it came to be, and each thing that keeps the scope from being settled.',
  params: scopeParams,
  answers: { 200: Convergence },
  problems: ['scope_not_found'],
})

export const resetScope = operation({
  name: 'resetScope',
  method: 'POST',
  path: '/admin/scopes/{scopeId}/reset',
  tier: 'admin',
  tenantKey: true,
  served: true,
  summary: 'Erase everything in a scope',
  description:
    'All content goes, and so does the data key of the scope: nothing that the database has now opens a copy from before. ' +
    'The scope itself stays; work in flight has no effect on it any more. While a large scope is emptied, other requests to ' +
    'it are answered 503 with Retry-After; after the 200 it is empty, and document ids and idempotency keys can be used again.',
  params: scopeParams,
  answers: { 200: ResetScope },
  problems: ['scope_not_found'],
})

export const deleteScope = operation({
  name: 'deleteScope',
  method: 'DELETE',
  path: '/admin/scopes/{scopeId}',
  tier: 'admin',
  tenantKey: true,
  served: true,
  extension: true,
  summary: 'Delete a scope and everything in it',
  description: 'Like a reset, but the scope and its log go as well.',
  params: scopeParams,
  answers: { 200: DeletedScope },
  problems: ['scope_not_found'],
})
