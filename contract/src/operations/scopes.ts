/** Scopes, as the administrator of a tenant and as the tenant itself see them. */
import { operation } from '../operation.ts'
import { replayable, replayedHeader } from './replaying.ts'
import { pageOf, pageQuery, scopeParams } from '../schemas/identity.ts'
import { ScopeSummary } from '../schemas/scope-views.ts'
import { POLICY_BODY_LIMIT } from '../schemas/policies.ts'
import { CreateOwnScopeBody, CreateScopeBody, ListedScope, Scope } from '../schemas/scopes.ts'

export const createScope = operation({
  name: 'createScope',
  method: 'POST',
  path: '/admin/scopes',
  tier: 'admin',
  tenantKey: true,
  served: true,
  summary: 'Create a scope',
  description:
    'The scope gets its own data key, which seals all its content. `policy` applies from its first document on, ' +
    'as if you had written it for the scope right after creation.',
  ...replayable,
  body: CreateScopeBody,
  bodyLimit: POLICY_BODY_LIMIT,
  answers: { 201: Scope },
  answerHeaders: { Location: 'Address at which the tenant reads the scope.', ...replayedHeader },
  problems: ['scope_exists', 'policy_invalid', 'idempotency_key_reused'],
})

export const listScopes = operation({
  name: 'listScopes',
  method: 'GET',
  path: '/admin/scopes',
  tier: 'admin',
  tenantKey: true,
  served: true,
  summary: 'List the scopes of the tenant whose key is sent',
  description: 'In the order of their ids, each with its runtime and its documents by status.',
  query: pageQuery,
  answers: { 200: pageOf(ListedScope) },
  problems: [],
})

export const createOwnScope = operation({
  name: 'createOwnScope',
  method: 'POST',
  path: '/api/scopes',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Create a scope of your own',
  description:
    'The scope gets its own data key, which seals all its content. An administrator can write policies for it ' +
    'later.',
  ...replayable,
  body: CreateOwnScopeBody,
  answers: { 201: Scope },
  answerHeaders: { Location: 'Address of the scope.', ...replayedHeader },
  problems: ['scope_exists', 'idempotency_key_reused'],
})

export const listOwnScopes = operation({
  name: 'listOwnScopes',
  method: 'GET',
  path: '/api/scopes',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'List your scopes',
  description: 'In the order of their ids, each with its runtime and its documents by status.',
  query: pageQuery,
  answers: { 200: pageOf(ListedScope) },
  problems: [],
})

export const getOwnScope = operation({
  name: 'getOwnScope',
  method: 'GET',
  path: '/api/scopes/{scopeId}',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Read one of your scopes',
  description:
    'The same as the summary for administrators: runtime, documents by status, the time since which the oldest ' +
    'one waits, the last position of the log. A scope of another tenant gets the same response as one that does ' +
    'not exist.',
  params: scopeParams,
  answers: { 200: ScopeSummary },
  problems: ['scope_not_found'],
  conditional: true,
})
