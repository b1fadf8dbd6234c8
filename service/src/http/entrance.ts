/** Authenticates requests: reads the credentials of a request and has them checked, as the route's tier demands. */
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

export interface EntranceDeps {
  readonly credentials: Credentials
  readonly tenantProof: TenantProof
  /** For the routes that answer in an outage of the database; none of them does where it is missing. */
  readonly operatorKeys?: Pick<OperatorKeys, 'authenticate'>
}

export interface Knock {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Where it comes from, so that nobody's invented keys keep the keys of others waiting. */
  readonly source: string
}

export async function admit(
  deps: EntranceDeps,
  { operation, entrance, answersInOutage = false }: Route,
  knock: Knock,
): Promise<Caller | TenantCaller | undefined> {
  if (entrance === 'anyone') return undefined
  if (operation.tier === 'public') return admitTenant(deps, operation, knock)
  const holder = await admitHolder(answersInOutage ? deps : withoutOperatorKeys(deps), operation, knock)
  const tenantId = await tenantBeside(deps, operation, knock)
  return tenantId === undefined ? holder : { ...holder, tenantId }
}

/**
 * The tenant whose key is sent beside that of the holder. Where the key may be left out, one that is sent must still be
 * good: whoever means a tenant must not be taken for somebody who means none.
 */
async function tenantBeside(
  { credentials }: EntranceDeps,
  { tenantKey: required, tenantKeyOptional: allowed }: Operation,
  knock: Knock,
): Promise<string | undefined> {
  if (!required && !allowed) return undefined
  const key = header(knock, 'x-tenant-api-key')
  if (key !== undefined) return (await credentials.authenticateTenant(key, knock.source)).tenantId
  if (required) throw missing('x-tenant-api-key', 'Send the key of the tenant in X-Tenant-API-Key.')
  return undefined
}

/** An admin or internals key. Without any such key in existence the caller is told how to make the first. */
async function admitHolder(
  { credentials, operatorKeys }: EntranceDeps,
  operation: Operation,
  knock: Knock,
): Promise<Caller> {
  const tier = operation.tier === 'internals' ? 'internals' : 'admin'
  try {
    const bearer = bearerOf(knock)
    if (bearer === undefined)
      throw missing('authorization', `Send an ${KEYS[tier]} as Authorization: Bearer.`)
    const checking = credentials.authenticatePlatform(bearer, tier, knock.source)
    return await (operatorKeys
      ? orByKnownKey(checking, () => operatorKeys.authenticate(bearer, tier))
      : checking)
  } catch (error) {
    if (error instanceof Fault && error.code !== 'unavailable' && !(await credentials.hasRootKey()))
      throw new Fault('no_root_key', { cause: error })
    throw error
  }
}

function withoutOperatorKeys({ credentials, tenantProof }: EntranceDeps): EntranceDeps {
  return { credentials, tenantProof }
}

/** Leaves the probes of health most of the time that a request has. */
const KEY_ANSWER_MS = 1_500

/** Where the database does not say who it is, what was read of it last decides. */
async function orByKnownKey(checking: Promise<Caller>, find: () => Caller | undefined): Promise<Caller> {
  try {
    return await withinDeadline(checking, KEY_ANSWER_MS)
  } catch (error) {
    const isAway = error instanceof Fault ? error.code === 'unavailable' : isUnavailable(error)
    const known = isAway ? find() : undefined
    if (!known) throw error
    return known
  }
}

async function admitTenant(deps: EntranceDeps, operation: Operation, knock: Knock): Promise<TenantCaller> {
  const claimed = header(knock, 'x-tenant-id')
  const caller = await proveTenant(deps, knock, claimed)
  if (claimed === undefined && operation.tenantIdRequired) throw missingTenantId()
  // One answer whether or not the other tenant exists, so that ids cannot be tried out.
  if (claimed !== undefined && claimed !== caller.tenantId) throw new Fault('tenant_mismatch')
  return caller
}

async function proveTenant(
  { credentials, tenantProof }: EntranceDeps,
  knock: Knock,
  claimed: string | undefined,
): Promise<TenantCaller> {
  if (tenantProof.mode === 'key') return credentials.authenticateTenant(tenantKeyOf(knock), knock.source)
  if (claimed === undefined) throw missing('x-tenant-id', 'Send the tenant_id of the tenant in X-Tenant-ID.')
  if (tenantProof.mode === 'insecure-tenant-id') return tenantProof.trust(claimed)
  return tenantProof.authenticate(
    {
      method: knock.method,
      path: knock.url,
      tenantId: claimed,
      bodyHash: header(knock, 'x-gateway-content-sha256') ?? '',
      timestamp: header(knock, 'x-gateway-timestamp') ?? '',
      nonce: header(knock, 'x-gateway-nonce') ?? '',
    },
    header(knock, 'x-gateway-signature') ?? '',
  )
}

function tenantKeyOf(knock: Knock): string {
  const bearer = bearerOf(knock)
  const own = header(knock, 'x-tenant-api-key')
  if (bearer !== undefined && own !== undefined && bearer !== own) throw new Fault('credentials_conflict')
  const key = bearer ?? own
  if (key === undefined)
    throw missing(
      'authorization',
      'Send the key of the tenant as Authorization: Bearer or in X-Tenant-API-Key.',
    )
  return key
}

function bearerOf(knock: Knock): string | undefined {
  const { authorization } = knock.headers
  if (authorization === undefined) return undefined
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (token === undefined) throw new Fault('credential_invalid', { internal: 'not a bearer credential' })
  return token
}

function header(knock: Knock, name: string): string | undefined {
  const value = knock.headers[name]
  return typeof value === 'string' ? value : undefined
}

const KEYS = { admin: 'admin or internals key', internals: 'internals key' } as const

/** Names the header, since a route may ask for two of them. */
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
