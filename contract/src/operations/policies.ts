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
  description: 'What was written, by whom and when, and what ships beside it.',

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
    'Checked against the schema first; in force for whatever is decided after the answer, in every process. The same text again changes nothing.',

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
  summary: 'Take back the policies of the tenant',
  description: 'Back to what applies without it, as a new version that is empty.',

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
  description: 'They are asked together with those of the tenant and those that ship.',
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
    'Checked against the schema first; in force for whatever is decided after the answer, in every process. The same text again changes nothing.',
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
  summary: 'Take back the policies of a scope',
  description: 'Back to what applies without it, as a new version that is empty.',
  params: scopeParams,

  answers: { 200: Policy },
  problems: ['scope_not_found'],
})
