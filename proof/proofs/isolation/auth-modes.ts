/** The ways in which a deployment can have tenants prove themselves, as AUTH_MODE names them. */

export type AuthMode = 'key' | 'trusted-gateway' | 'insecure-tenant-id'

export const authModes: readonly AuthMode[] = ['key', 'trusted-gateway', 'insecure-tenant-id']
