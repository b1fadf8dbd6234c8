/** Tenants and their keys, as an administrator handles them. */
import { operation } from '../operation.ts'
import { keyParams, pageOf, pageQuery, tenantParams } from '../schemas/identity.ts'
import {
  CreateTenantRequest,
  CreateTenantResponse,
  IssuedKey,
  IssueKeyBody,
  Key,
  RotatedKey,
  RotateKeyBody,
  Tenant,
} from '../schemas/tenants.ts'

const locationHeader = { Location: 'Address of the new resource.' }

export const createTenant = operation({
  name: 'createTenant',
  method: 'POST',
  path: '/admin/tenants',
  tier: 'admin',
  served: true,
  summary: 'Create a tenant and its first key',
  description: 'The key is shown in this response only, so an Idempotency-Key is refused.',
  body: CreateTenantRequest,
  answers: { 201: CreateTenantResponse },
  answerHeaders: locationHeader,
  problems: [],
  noStore: true,
  showsSecret: true,
})

export const listTenants = operation({
  name: 'listTenants',
  method: 'GET',
  path: '/admin/tenants',
  tier: 'admin',
  served: true,
  extension: true,
  summary: 'List tenants',
  description: 'Oldest first, names only. To read the data of a tenant you also need its key.',
  query: pageQuery,
  answers: { 200: pageOf(Tenant) },
  problems: [],
})

export const getTenant = operation({
  name: 'getTenant',
  method: 'GET',
  path: '/admin/tenants/{tenantId}',
  tier: 'admin',
  served: true,
  extension: true,
  summary: 'Read one tenant',
  description: 'Name and age. To read the data of a tenant you also need its key.',
  params: tenantParams,
  answers: { 200: Tenant },
  problems: ['tenant_not_found'],
})

export const listTenantKeys = operation({
  name: 'listTenantKeys',
  method: 'GET',
  path: '/admin/tenants/{tenantId}/keys',
  tier: 'admin',
  served: true,
  extension: true,
  summary: 'List the keys of a tenant',
  description:
    'All keys, also expired and revoked ones, oldest first. Secrets are not stored, so they cannot be shown.',
  params: tenantParams,
  query: pageQuery,
  answers: { 200: pageOf(Key) },
  problems: ['tenant_not_found'],
})

export const issueTenantKey = operation({
  name: 'issueTenantKey',
  method: 'POST',
  path: '/admin/tenants/{tenantId}/keys',
  tier: 'admin',
  served: true,
  extension: true,
  summary: 'Issue another key to a tenant',
  description: 'The key is shown in this response only, so an Idempotency-Key is refused.',
  params: tenantParams,
  body: IssueKeyBody,
  bodyOptional: true,
  answers: { 201: IssuedKey },
  answerHeaders: locationHeader,
  problems: ['tenant_not_found', 'too_many_keys'],
  noStore: true,
  showsSecret: true,
})

export const getTenantKey = operation({
  name: 'getTenantKey',
  method: 'GET',
  path: '/admin/tenants/{tenantId}/keys/{keyId}',
  tier: 'admin',
  served: true,
  extension: true,
  summary: 'Read one key of a tenant',
  description: 'The record of the key, without its secret.',
  params: keyParams,
  answers: { 200: Key },
  problems: ['key_not_found'],
})

export const rotateTenantKey = operation({
  name: 'rotateTenantKey',
  method: 'POST',
  path: '/admin/tenants/{tenantId}/keys/{keyId}/rotate',
  tier: 'admin',
  served: true,
  extension: true,
  summary: 'Rotate a key',
  description:
    'Both keys work until the overlap ends, so you can roll out the new key without downtime. The key is shown ' +
    'once, so an Idempotency-Key is refused.',
  params: keyParams,
  body: RotateKeyBody,
  bodyOptional: true,
  answers: { 201: RotatedKey },
  answerHeaders: locationHeader,
  problems: ['key_not_found', 'key_not_live', 'too_many_keys'],
  noStore: true,
  showsSecret: true,
})

export const revokeTenantKey = operation({
  name: 'revokeTenantKey',
  method: 'POST',
  path: '/admin/tenants/{tenantId}/keys/{keyId}/revoke',
  tier: 'admin',
  served: true,
  extension: true,
  summary: 'Revoke a key',
  description: 'Every process refuses the key within one second. The operation is idempotent.',
  params: keyParams,
  answers: { 200: Key },
  problems: ['key_not_found'],
})
