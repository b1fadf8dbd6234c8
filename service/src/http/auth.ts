/** Authenticates requests: reads the credentials of a request and verifies them as the tier of the route requires. */
import type { Operation } from '@concord/contract'
import type { IncomingHttpHeaders } from 'node:http'
import type { Credentials } from '../app/access/credentials.ts'
import type { SignedRequest } from '../app/access/gateway.ts'
import type { Caller, TenantCaller } from '../domain/caller.ts'
import { isUnavailable } from '../app/failures.ts'
import type { OperatorKeys } from '../app/access/operator-keys.ts'
import { Fault } from '../domain/fault.ts'
import { withinDeadline } from './deadline.ts'
import type { Route } from './route.ts'

/** How a tenant proves itself on the public tier. */
export type TenantProof =
  | { readonly mode: 'key' }
  | {
      readonly mode: 'trusted-gateway'
      readonly authenticate: (request: SignedRequest, signature: string) => Promise<TenantCaller>
    }
  | { readonly mode: 'insecure-tenant-id'; readonly trust: (tenantId: string) => Promise<TenantCaller> }

export interface AuthDeps {
  readonly credentials: Credentials
  readonly tenantProof: TenantProof
  /** Serves the routes that answer during a database outage. Without it, none of them does. */
  readonly operatorKeys?: Pick<OperatorKeys, 'authenticate'>
}

export interface RequestCredentials {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The source address to queue key lookups by, so that invented keys from one source do not delay the lookups of others. */
  readonly source: string
}

export async function authenticate(
  deps: AuthDeps,
  { operation, auth, answersInOutage = false }: Route,
  request: RequestCredentials,
): Promise<Caller | TenantCaller | undefined> {
  if (auth === 'none') return undefined
  if (operation.tier === 'public') return authenticateTenant(deps, operation, request)
  const holder = await authenticateOperator(
    answersInOutage ? deps : withoutOperatorKeys(deps),
    operation,
    request,
  )
  const tenantId = await tenantFromSecondKey(deps, operation, request)
  return tenantId === undefined ? holder : { ...holder, tenantId }
}

/**
 * Returns the tenant of the second key, sent beside the operator's key. Where the second key is optional, a key that is sent
 * must still be valid: a request that names a tenant must not be treated as one that names none.
 */
async function tenantFromSecondKey(
  { credentials }: AuthDeps,
  { tenantKey: required, tenantKeyOptional: allowed }: Operation,
  request: RequestCredentials,
): Promise<string | undefined> {
  if (!required && !allowed) return undefined
  const key = header(request, 'x-tenant-api-key')
  if (key !== undefined) return (await credentials.authenticateTenant(key, request.source)).tenantId
  if (required) throw missing('x-tenant-api-key', 'Send the key of the tenant in X-Tenant-API-Key.')
  return undefined
}

/** Checks an admin or internals key. If no such key exists yet, the error says how to create the first one. */
async function authenticateOperator(
  { credentials, operatorKeys }: AuthDeps,
  operation: Operation,
  request: RequestCredentials,
): Promise<Caller> {
  const tier = operation.tier === 'internals' ? 'internals' : 'admin'
  try {
    const bearer = bearerOf(request)
    if (bearer === undefined)
      throw missing('authorization', `Send an ${KEYS[tier]} as Authorization: Bearer.`)
    const checking = credentials.authenticatePlatform(bearer, tier, request.source)
    return await (operatorKeys
      ? withCachedKeyFallback(checking, () => operatorKeys.authenticate(bearer, tier))
      : checking)
  } catch (error) {
    if (error instanceof Fault && error.code !== 'unavailable' && !(await credentials.hasRootKey()))
      throw new Fault('no_root_key', { cause: error })
    throw error
  }
}

function withoutOperatorKeys({ credentials, tenantProof }: AuthDeps): AuthDeps {
  return { credentials, tenantProof }
}

/** How long to wait for the database to check a key. The health routes need the rest of the request's deadline. */
const KEY_ANSWER_MS = 1_500

/** Falls back to the operator keys in memory if the database cannot check the key in time. */
async function withCachedKeyFallback(
  checking: Promise<Caller>,
  find: () => Caller | undefined,
): Promise<Caller> {
  try {
    return await withinDeadline(checking, KEY_ANSWER_MS)
  } catch (error) {
    const isAway = error instanceof Fault ? error.code === 'unavailable' : isUnavailable(error)
    const known = isAway ? find() : undefined
    if (!known) throw error
    return known
  }
}

async function authenticateTenant(
  deps: AuthDeps,
  operation: Operation,
  request: RequestCredentials,
): Promise<TenantCaller> {
  const claimed = header(request, 'x-tenant-id')
  const caller = await verifyTenantProof(deps, request, claimed)
  if (claimed === undefined && operation.tenantIdRequired) throw missingTenantId()
  // The error is the same whether or not the other tenant exists, so that tenant ids cannot be probed.
  if (claimed !== undefined && claimed !== caller.tenantId) throw new Fault('tenant_mismatch')
  return caller
}

async function verifyTenantProof(
  { credentials, tenantProof }: AuthDeps,
  request: RequestCredentials,
  claimed: string | undefined,
): Promise<TenantCaller> {
  if (tenantProof.mode === 'key') return credentials.authenticateTenant(tenantKeyOf(request), request.source)
  if (claimed === undefined) throw missing('x-tenant-id', 'Send the tenant_id of the tenant in X-Tenant-ID.')
  if (tenantProof.mode === 'insecure-tenant-id') return tenantProof.trust(claimed)
  return tenantProof.authenticate(
    {
      method: request.method,
      path: request.url,
      tenantId: claimed,
      bodyHash: header(request, 'x-gateway-content-sha256') ?? '',
      timestamp: header(request, 'x-gateway-timestamp') ?? '',
      nonce: header(request, 'x-gateway-nonce') ?? '',
    },
    header(request, 'x-gateway-signature') ?? '',
  )
}

function tenantKeyOf(request: RequestCredentials): string {
  const bearer = bearerOf(request)
  const own = header(request, 'x-tenant-api-key')
  if (bearer !== undefined && own !== undefined && bearer !== own) throw new Fault('credentials_conflict')
  const key = bearer ?? own
  if (key === undefined)
    throw missing(
      'authorization',
      'Send the key of the tenant as Authorization: Bearer or in X-Tenant-API-Key.',
    )
  return key
}

function bearerOf(request: RequestCredentials): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (token === undefined) throw new Fault('credential_invalid', { internal: 'not a bearer credential' })
  return token
}

function header(request: RequestCredentials, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

const KEYS = { admin: 'admin or internals key', internals: 'internals key' } as const

/** The error names the header, since a route may require two credentials. */
function missing(name: string, message: string): Fault {
  return new Fault('credential_missing', {
    internal: `no ${name}`,
    fields: [{ pointer: `header#/${name}`, code: 'required', message }],
  })
}

function missingTenantId(): Fault {
  return new Fault('validation_failed', {
    fields: [{ pointer: 'header#/x-tenant-id', code: 'required', message: 'Send the tenant_id of the key.' }],
  })
}
