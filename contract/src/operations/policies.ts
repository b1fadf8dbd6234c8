/** Policies, as the administrator of a tenant writes them. */
import { operation } from '../operation.ts'
import { scopeParams } from '../schemas/identity.ts'
import { Policy, POLICY_BODY_LIMIT, PutPolicyBody } from '../schemas/policies.ts'

export const getPolicy = operation({
  name: 'getPolicy',
  method: 'GET',
  path: '/admin/policy',
  tier: 'admin',
  tenantKey: true,
  served: true,
  extension: true,
  summary: 'Read the policies of the tenant',
  description: 'The text in force, its author and time, and the built-in policies.',

  answers: { 200: Policy },
  problems: [],
})

export const putPolicy = operation({
  name: 'putPolicy',
  method: 'PUT',
  path: '/admin/policy',
  tier: 'admin',
  tenantKey: true,
  served: true,
  extension: true,
  summary: 'Write the policies of the tenant',
  description:
    'The text is checked against the schema first. It applies to every decision after the response, in every ' +
    'process. The same text again changes nothing.',

  body: PutPolicyBody,
  bodyLimit: POLICY_BODY_LIMIT,
  answers: { 200: Policy },
  problems: ['policy_invalid'],
})

export const removePolicy = operation({
  name: 'removePolicy',
  method: 'DELETE',
  path: '/admin/policy',
  tier: 'admin',
  tenantKey: true,
  served: true,
  extension: true,
  summary: 'Delete the policies of the tenant',
  description: 'Creates a new, empty version; the other policies stay in force.',

  answers: { 200: Policy },
  problems: [],
})

export const getScopePolicy = operation({
  name: 'getScopePolicy',
  method: 'GET',
  path: '/admin/scopes/{scopeId}/policy',
  tier: 'admin',
  tenantKey: true,
  served: true,
  extension: true,
  summary: 'Read the policies of a scope',
  description: 'They are evaluated together with those of the tenant and the built-in ones.',
  params: scopeParams,

  answers: { 200: Policy },
  problems: ['scope_not_found'],
})

export const putScopePolicy = operation({
  name: 'putScopePolicy',
  method: 'PUT',
  path: '/admin/scopes/{scopeId}/policy',
  tier: 'admin',
  tenantKey: true,
  served: true,
  extension: true,
  summary: 'Write the policies of a scope',
  description:
    'The text is checked against the schema first. It applies to every decision after the response, in every ' +
    'process. The same text again changes nothing.',
  params: scopeParams,
  body: PutPolicyBody,
  bodyLimit: POLICY_BODY_LIMIT,
  answers: { 200: Policy },
  problems: ['scope_not_found', 'policy_invalid'],
})

export const removeScopePolicy = operation({
  name: 'removeScopePolicy',
  method: 'DELETE',
  path: '/admin/scopes/{scopeId}/policy',
  tier: 'admin',
  tenantKey: true,
  served: true,
  extension: true,
  summary: 'Delete the policies of a scope',
  description: 'Creates a new, empty version; the other policies stay in force.',
  params: scopeParams,

  answers: { 200: Policy },
  problems: ['scope_not_found'],
})
