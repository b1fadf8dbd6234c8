/**
 * Two tenants that are alike in every name they could be confused by, and different in the marks by which a
 * leak is recognised: whatever of one shows up before the other was never meant for it.
 */
import { randomUUID } from 'node:crypto'
import { keyIdOf, unknownKey } from '../../harness/forged-keys.ts'
import { CERTIFY_RULES } from '../../harness/certify-rules.ts'
import type { Service } from './service.ts'
import {
  createDocuments,
  DOCUMENT_SCOPE_ID,
  EXPENDABLE_SCOPE_IDS,
  freshCanary,
  QUIET_SCOPE_IDS,
  REPORTED,
  SETTLED_SCOPE_ID,
} from './twin-documents.ts'
import type { Side } from './twin-documents.ts'

type Seed = Service['seed']

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
  /** The content, and the quotes of its texts: only who proves to be the tenant. */
  readonly content: readonly string[]
  /** Whole keys, once they were issued: nobody. */
  readonly secrets: readonly string[]
}

/** Ids that both twins use. */
export const SHARED_SCOPE_IDS = ['case-1', 'case-2', 'default', 'zz-last'] as const

/** The ids of `nobody` are of the right form and name nothing. */
export type Twins = Awaited<ReturnType<typeof createTwins>>

export async function createTwins(seed: Seed) {
  const [left, right] = [await createTwin(seed, 'left'), await createTwin(seed, 'right')]
  const nobody = {
    tenantId: randomUUID() as string,
    scopeId: `only-${freshCanary()}`,
    documentId: `only-${freshCanary()}`,
    keyId: keyIdOf(unknownKey('t')),
    contradictionId: randomUUID() as string,
  }
  return { left, right, nobody }
}

/** The same twins with what was found in their documents, and declared of them, once these were read. */
export async function withContradictions(seed: Seed, { left, right, nobody }: Twins): Promise<Twins> {
  return { left: await withOwn(seed, left), right: await withOwn(seed, right), nobody }
}

async function withOwn(seed: Seed, twin: Twin): Promise<Twin> {
  const { key: bearer } = twin
  await seed({ path: `/api/scopes/${SETTLED_SCOPE_ID}/certificate`, bearer, body: {} })
  await seed({ path: '/api/contradictions', bearer, body: REPORTED })
  const { items } = await seed<{ items: readonly { contradiction_id: string }[] }>({
    path: `/api/scopes/${DOCUMENT_SCOPE_ID}/contradictions?limit=100`,
    bearer,
  })
  const contradictionIds = items.map(({ contradiction_id: id }) => id)
  const marks = { ...twin.marks, ids: [...twin.marks.ids, ...contradictionIds] }
  return { ...twin, contradictionIds, marks }
}

async function createTwin(seed: Seed, side: Side): Promise<Twin> {
  const canary = { name: freshCanary(), key: freshCanary(), content: freshCanary() }
  const { tenant_id: tenantId, api_key: key } = await seed<{ tenant_id: string; api_key: string }>({
    path: '/admin/tenants',
    body: { name: `Twin ${canary.name}` },
  })
  const { expiredKey, revokedKey, targets } = await createKeys(seed, tenantId, canary.key)
  const ownScopeIds = [`only-${freshCanary()}`, `only-${freshCanary()}`]
  const sharedIds = [...SHARED_SCOPE_IDS, ...QUIET_SCOPE_IDS, SETTLED_SCOPE_ID, ...EXPENDABLE_SCOPE_IDS]
  for (const scope_id of [...sharedIds, ...ownScopeIds]) {
    const policy = scope_id === SETTLED_SCOPE_ID ? { policy: CERTIFY_RULES } : {}
    const body = { scope_id, display_name: `Case file ${canary.content}`, ...policy }
    await seed({ path: '/admin/scopes', tenantKey: key, body })
  }
  const documents = await createDocuments(seed, { tenantId, key, side })
  const deadKeys = [expiredKey, revokedKey]
  return {
    tenantId,
    key,
    expiredKey,
    revokedKey,
    targetKeyIds: targets.map(keyIdOf),
    ownScopeIds,
    ownDocumentIds: documents.ownIds,
    contradictionIds: [],
    cursors: await collectCursors(seed, tenantId, key),
    marks: {
      tenantIds: [tenantId],
      names: [canary.name],
      keys: [canary.key, ...[...deadKeys, ...targets].map(keyIdOf)],
      deciders: [keyIdOf(key)],
      ids: [...ownScopeIds, ...documents.ownIds],
      content: [canary.content, ...documents.marks],
      secrets: [key, ...deadKeys, ...targets],
    },
  }
}

/** Equal names on both sides, but for one that carries a mark. */
async function createKeys(seed: Seed, tenantId: string, canary: string) {
  const path = `/admin/tenants/${tenantId}/keys`
  const issue = async (name: string) => (await seed<{ api_key: string }>({ path, body: { name } })).api_key
  const expiredKey = await issue('expired')
  // Rotated without an overlap: the old key expires in the same moment.
  await seed({ path: `${path}/${keyIdOf(expiredKey)}/rotate`, body: { overlap_seconds: 0 } })
  const revokedKey = await issue('revoked')
  await seed({ method: 'POST', path: `${path}/${keyIdOf(revokedKey)}/revoke` })
  const targets = [await issue('nightly job'), await issue('nightly job'), await issue(`nightly ${canary}`)]
  return { expiredKey, revokedKey, targets }
}

/** Every position in the lists of a twin: a page of one, again and again, yields them all. */
async function collectCursors(seed: Seed, tenantId: string, key: string): Promise<string[]> {
  const lists = [
    { path: '/admin/scopes', tenantKey: key },
    { path: `/admin/tenants/${tenantId}/keys` },
    { path: `/api/scopes/${DOCUMENT_SCOPE_ID}/documents`, bearer: key },
  ]
  const cursors: string[] = []
  for (const list of lists) {
    let query = '?limit=1'
    while (query !== '') {
      const page = await seed<{ next_cursor: string | null }>({ ...list, path: list.path + query })
      if (page.next_cursor) cursors.push(page.next_cursor)
      query = page.next_cursor ? `?limit=1&cursor=${page.next_cursor}` : ''
    }
  }
  return cursors
}
