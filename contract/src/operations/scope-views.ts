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
  summary: 'Read the summary of a scope',
  description:
    'Runtime, documents by status, the time since which the oldest one waits, claims, contradictions, convergence ' +
    'with its blockers, the last position of the log and the time of the last activity.',
  params: scopeParams,
  answers: { 200: ScopeSummary },
  problems: ['scope_not_found'],
  conditional: true,
})

const overTime =
  'Accepted, processed and failed documents, their waiting times and processing times, point by point. A reset ' +
  'deletes the points.'

export const getScopeMetrics = operation({
  name: 'getScopeMetrics',
  method: 'GET',
  path: '/admin/scopes/{scopeId}/metrics',
  tier: 'admin',
  tenantKey: true,
  served: true,
  summary: 'Read metrics of a scope over time',
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
  summary: 'Read metrics of one of your scopes over time',
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
  summary: 'Read the convergence of one of your scopes',
  description:
    'The score with its parts and its history, and each blocker that keeps the scope from being settled.',
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
  summary: 'Reset a scope: erase all its content',
  description:
    'Deletes all content and the data key of the scope, so the live keys can no longer decrypt copies of it. The ' +
    'scope itself stays; work in flight has no effect on it. While a large scope is being erased, other requests ' +
    'to it are answered 503 with Retry-After. After the 200 the scope is empty, and document ids and idempotency ' +
    'keys can be used again.',
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
  description: 'Like a reset, but the scope and its log are deleted too.',
  params: scopeParams,
  answers: { 200: DeletedScope },
  problems: ['scope_not_found'],
})
