/**
 * Two tenants that are alike in every name they could be confused by, and different in the marks by which a
 * leak is recognised: whatever of one shows up before the other was never meant for it.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { keyIdOf, unknownKeyId } from './forged-keys.ts'
import type { Header, WireRequest } from './wire.ts'

export interface Twin {
  readonly tenantId: string
  /** A live key, used to ask. */
  readonly key: string
  readonly expiredKey: string
  readonly revokedKey: string
  /** Live keys that nobody asks with, so that they may be rotated and revoked. */
  readonly targetKeyIds: readonly string[]
  /** Scopes that only this twin has. */
  readonly ownScopeIds: readonly string[]
  /** Positions in this twin's lists. */
  readonly cursors: readonly string[]
  readonly marks: Marks
}

/** Strings that occur nowhere but in what belongs to one twin, by who may see them. */
export interface Marks {
  /** Its id and name: an administrator who lists tenants. */
  readonly names: readonly string[]
  /** Ids and names of its keys: an administrator who names the tenant. */
  readonly keys: readonly string[]
  /** What it holds: only who proves to be the tenant. */
  readonly content: readonly string[]
  /** Whole keys: nobody, once they were issued. */
  readonly secrets: readonly string[]
}

export interface Twins {
  readonly left: Twin
  readonly right: Twin
  /** Ids of the right form that name nothing. */
  readonly nobody: { readonly tenantId: string; readonly scopeId: string; readonly keyId: string }
}

/** Ids that both twins use. */
export const SHARED_SCOPE_IDS = ['case-1', 'case-2', 'default', 'zz-last'] as const

/** Sends with an admin key and expects success. */
export type Seed = <Result>(request: Omit<WireRequest, 'headers' | 'body'> & SeedExtras) => Promise<Result>

interface SeedExtras {
  readonly headers?: readonly Header[]
  readonly body?: unknown
}

interface IssuedKey {
  readonly key_id: string
  readonly api_key: string
}

export async function createTwins(seed: Seed): Promise<Twins> {
  const [left, right] = [await createTwin(seed), await createTwin(seed)]
  const nobody = { tenantId: randomUUID(), scopeId: `only-${freshCanary()}`, keyId: unknownKeyId() }
  return { left, right, nobody }
}

async function createTwin(seed: Seed): Promise<Twin> {
  const canary = { name: freshCanary(), key: freshCanary(), content: freshCanary() }
  const { tenant_id: tenantId, api_key: key } = await seed<{ tenant_id: string; api_key: string }>({
    method: 'POST',
    path: '/admin/tenants',
    body: { name: `Twin ${canary.name}` },
  })
  const keys = await createKeys(seed, `/admin/tenants/${tenantId}/keys`, canary.key)
  const ownScopeIds = [`only-${freshCanary()}`, `only-${freshCanary()}`]
  for (const scopeId of [...SHARED_SCOPE_IDS, ...ownScopeIds]) {
    await seed({
      method: 'POST',
      path: '/admin/scopes',
      headers: [['X-Tenant-API-Key', key]],
      body: { scope_id: scopeId, display_name: `Case file ${canary.content}` },
    })
  }
  const secrets = [key, keys.expiredKey, keys.revokedKey, ...keys.targets]
  return {
    tenantId,
    key,
    ...keys,
    targetKeyIds: keys.targets.map(keyIdOf),
    ownScopeIds,
    cursors: await collectCursors(seed, tenantId, key),
    marks: {
      names: [tenantId, canary.name],
      keys: [canary.key, ...secrets.map(keyIdOf)],
      content: [canary.content, ...ownScopeIds],
      secrets,
    },
  }
}

/** Equal names on both sides, but for one that carries a mark. */
async function createKeys(
  seed: Seed,
  path: string,
  canary: string,
): Promise<Pick<Twin, 'expiredKey' | 'revokedKey'> & { readonly targets: readonly string[] }> {
  const issue = async (name: string) => {
    const { api_key: key } = await seed<IssuedKey>({ method: 'POST', path, body: { name } })
    return key
  }
  const expiredKey = await issue('expired')
  // Rotated without an overlap: the old key expires in the same moment.
  const expiring = `${path}/${keyIdOf(expiredKey)}/rotate`
  await seed({ method: 'POST', path: expiring, body: { overlap_seconds: 0 } })
  const revokedKey = await issue('revoked')
  await seed({ method: 'POST', path: `${path}/${keyIdOf(revokedKey)}/revoke` })
  const targets = [await issue('nightly job'), await issue('nightly job'), await issue(`nightly ${canary}`)]
  return { expiredKey, revokedKey, targets }
}

/** A page of one, again and again, yields every position there is. */
async function collectCursors(seed: Seed, tenantId: string, key: string): Promise<string[]> {
  const asTenant: readonly Header[] = [['X-Tenant-API-Key', key]]
  const lists = [
    { path: '/admin/scopes', headers: asTenant },
    { path: `/admin/tenants/${tenantId}/keys`, headers: [] },
  ]
  const cursors: string[] = []
  for (const { path, headers } of lists) {
    let query = '?limit=1'
    while (query !== '') {
      const page = await seed<{ next_cursor: string | null }>({ method: 'GET', path: path + query, headers })
      if (page.next_cursor) cursors.push(page.next_cursor)
      query = page.next_cursor ? `?limit=1&cursor=${page.next_cursor}` : ''
    }
  }
  return cursors
}

/** Fits into a scope id, a name and a search. */
export function freshCanary(): string {
  return `canary${randomBytes(8).toString('hex')}`
}
