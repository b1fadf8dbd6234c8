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
    'The scope gets a data key of its own, with which all its content is sealed. `policy` is in force from its first document on, ' +
    'as if it had been written for the scope right after.',
  ...replayable,
  body: CreateScopeBody,
  bodyLimit: POLICY_BODY_LIMIT,
  answers: { 201: Scope },
  answerHeaders: { Location: 'Where the tenant reads the scope.', ...replayedHeader },
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
    'The scope gets a data key of its own, with which all its content is sealed. An administrator can give it policies later.',
  ...replayable,
  body: CreateOwnScopeBody,
  answers: { 201: Scope },
  answerHeaders: { Location: 'Where you read the scope.', ...replayedHeader },
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
    'What an administrator sees as its summary: runtime, documents by status, since when the oldest one waits, where the ' +
    "log ends. Another tenant's scope answers exactly like one that does not exist.",
  params: scopeParams,
  answers: { 200: ScopeSummary },
  problems: ['scope_not_found'],
  conditional: true,
})
