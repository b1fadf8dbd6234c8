/**
 * Two tenants that are alike in every name they could be confused by, and different in the marks by which a
 * leak is recognised: whatever of one shows up before the other was never meant for it.
 */
import { randomUUID } from 'node:crypto'
import { freshCanary } from './canary.ts'
import { collectCursors } from './cursors.ts'
import { keyIdOf, unknownKeyId } from './forged-keys.ts'
import type { Seed } from './seed.ts'
import {
  createDocuments,
  DOCUMENT_SCOPE_ID,
  QUIET_SCOPE_IDS,
  REPORTED,
  SETTLED_SCOPE_ID,
} from './twin-documents.ts'
import type { Side } from './twin-documents.ts'
import { EXPENDABLE_SCOPE_IDS } from './twin-scopes.ts'

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
  /** Documents that only this twin has, in a scope that both have. */
  readonly ownDocumentIds: readonly string[]
  /** Contradictions among the documents that both have; none before these are read. */
  readonly contradictionIds: readonly string[]
  /** Positions in this twin's lists. */
  readonly cursors: readonly string[]
  readonly marks: Marks
}

/** Strings that occur nowhere but in what belongs to one twin, by who may see them. */
export interface Marks {
  /** Its id: itself, an administrator, an operator. */
  readonly tenantIds: readonly string[]
  /** Its name: an administrator who lists tenants. */
  readonly names: readonly string[]
  /** Ids and names of its keys: an administrator who names the tenant. */
  readonly keys: readonly string[]
  /** Id of the key it works with: the same, and who sees what was reported or decided with it. */
  readonly deciders: readonly string[]
  /** Ids of what it holds: who proves to be the tenant, and an operator who follows everything. */
  readonly ids: readonly string[]
  /** What it holds, and what its texts are quoted with: only who proves to be the tenant. */
  readonly content: readonly string[]
  /** Whole keys, once they were issued: nobody. */
  readonly secrets: readonly string[]
}

export interface Twins {
  readonly left: Twin
  readonly right: Twin
  /** Ids of the right form that name nothing. */
  readonly nobody: Nobody
}

export interface Nobody {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly keyId: string
  readonly contradictionId: string
}

/** Ids that both twins use. */
export const SHARED_SCOPE_IDS = ['case-1', 'case-2', 'default', 'zz-last'] as const

interface IssuedKey {
  readonly key_id: string
  readonly api_key: string
}

export async function createTwins(seed: Seed): Promise<Twins> {
  const [left, right] = [await createTwin(seed, 'left'), await createTwin(seed, 'right')]
  const nobody = {
    tenantId: randomUUID(),
    scopeId: `only-${freshCanary()}`,
    documentId: `only-${freshCanary()}`,
    keyId: unknownKeyId(),
    contradictionId: randomUUID(),
  }
  return { left, right, nobody }
}

/** The same twins with what was found in their documents, and declared of them, once these were read. */
export async function withContradictions(seed: Seed, { left, right, nobody }: Twins): Promise<Twins> {
  return { left: await withOwn(seed, left), right: await withOwn(seed, right), nobody }
}

async function withOwn(seed: Seed, twin: Twin): Promise<Twin> {
  const declaration = `/api/scopes/${SETTLED_SCOPE_ID}/certificate`
  await seed({ method: 'POST', path: declaration, bearer: twin.key, body: {} })
  await seed({ method: 'POST', path: '/api/contradictions', bearer: twin.key, body: REPORTED })
  const { items } = await seed<{ items: readonly { contradiction_id: string }[] }>({
    method: 'GET',
    path: `/api/scopes/${DOCUMENT_SCOPE_ID}/contradictions?limit=100`,
    bearer: twin.key,
  })
  const contradictionIds = items.map(({ contradiction_id: id }) => id)
  const marks = { ...twin.marks, ids: [...twin.marks.ids, ...contradictionIds] }
  return { ...twin, contradictionIds, marks }
}

async function createTwin(seed: Seed, side: Side): Promise<Twin> {
  const canary = { name: freshCanary(), key: freshCanary(), content: freshCanary() }
  const { tenant_id: tenantId, api_key: key } = await seed<{ tenant_id: string; api_key: string }>({
    method: 'POST',
    path: '/admin/tenants',
    body: { name: `Twin ${canary.name}` },
  })
  const keys = await createKeys(seed, `/admin/tenants/${tenantId}/keys`, canary.key)
  const ownScopeIds = [`only-${freshCanary()}`, `only-${freshCanary()}`]
  const sharedIds = [...SHARED_SCOPE_IDS, ...QUIET_SCOPE_IDS, SETTLED_SCOPE_ID, ...EXPENDABLE_SCOPE_IDS]
  for (const scopeId of [...sharedIds, ...ownScopeIds]) {
    await seed({
      method: 'POST',
      path: '/admin/scopes',
      headers: [['X-Tenant-API-Key', key]],
      body: { scope_id: scopeId, display_name: `Case file ${canary.content}` },
    })
  }
  const documents = await createDocuments(seed, { tenantId, key, side })
  const secrets = [key, keys.expiredKey, keys.revokedKey, ...keys.targets]
  return {
    tenantId,
    key,
    ...keys,
    targetKeyIds: keys.targets.map(keyIdOf),
    ownScopeIds,
    ownDocumentIds: documents.ownIds,
    contradictionIds: [],
    cursors: await collectCursors(seed, tenantId, key),
    marks: {
      tenantIds: [tenantId],
      names: [canary.name],
      keys: [canary.key, ...secrets.slice(1).map(keyIdOf)],
      deciders: [keyIdOf(key)],
      ids: [...ownScopeIds, ...documents.ownIds],
      content: [canary.content, ...documents.content, ...documents.texts],
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
