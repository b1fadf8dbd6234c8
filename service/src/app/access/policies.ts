/**
 * Writes, reads and caches the policies of tenants and scopes. The start of an attempt returns the number of policy changes
 * of the tenant, so a process knows without a query whether its cached set is still in force.
 */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { PolicyTexts } from '../../domain/policy.ts'
import type { PolicyEngine, PolicySet } from '../../policy/engine.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { PoolConnection, Pool, Pools } from '../../store/pools.ts'
import { wakeHeldSteps } from '../../store/comparing/comparison-steps.ts'
import * as store from '../../store/access/policy-texts.ts'
import type { PolicyVersionRow } from '../../store/access/policy-texts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import { lockScopeHead, selectScopeHead } from '../../store/scopes/scope-log.ts'
import type { ScopeRef } from '../../store/scope-batches.ts'
import { enterTenant, inTenant, inTenantScope } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'

export type { PolicyEngine, PolicySet }

export interface Policies {
  /** Returns the policies after this number of changes, or newer ones. */
  since(tenantId: string, scopeId: string, changes: number): Promise<PolicySet>
  /** Like `since`, within a transaction of the service, which becomes a transaction of this tenant. */
  within(connection: PoolConnection, ref: ScopeRef, changes: number): Promise<PolicySet>
  /** Returns the policies in force in this transaction. */
  inForce(transaction: TenantTransaction, scopeId: string): Promise<PolicySet>
}

const MEMORY_SIZE = 10_000
const NOTHING: PolicyTexts = { tenant: '', scope: '' }

interface Remembered {
  readonly changes: number
  readonly set: PolicySet
}

export function createPolicies({
  pool,
  engine,
}: {
  readonly pool: Pool
  readonly engine: PolicyEngine
}): Policies {
  const memory = new BoundedMap<string, Remembered>(MEMORY_SIZE)

  function remember(key: string, { changes, ...texts }: store.PoliciesInForce): PolicySet {
    const set = engine.load(texts)
    const known = memory.get(key)
    if (known && known.changes > changes) return set
    memory.set(key, { changes, set })
    return set
  }

  async function find(
    key: string,
    changes: number,
    read: () => Promise<store.PoliciesInForce>,
  ): Promise<PolicySet> {
    // Most tenants have no policies.
    if (changes === 0) return engine.load(NOTHING)
    const known = memory.get(key)
    // @point policy.cache
    if (known && known.changes >= changes) return known.set
    return remember(key, await read())
  }

  return {
    since: (tenantId, scopeId, changes) =>
      find(`${tenantId}/${scopeId}`, changes, () =>
        inTenant(pool, tenantId, (transaction) => store.selectPoliciesInForce(transaction, scopeId)),
      ),
    within: (connection, { tenantId, scopeId }, changes) =>
      find(`${tenantId}/${scopeId}`, changes, async () =>
        store.selectPoliciesInForce(await enterTenant(connection, tenantId), scopeId),
      ),
    async inForce(transaction, scopeId) {
      const changes = await store.selectPolicyChanges(transaction)
      return find(`${transaction.tenantId}/${scopeId}`, changes, () =>
        store.selectPoliciesInForce(transaction, scopeId),
      )
    },
  }
}

export interface PoliciesDeps {
  readonly pools: Pools
  readonly policyEngine: PolicyEngine
  readonly auditor: Auditor
}

export interface PolicyInForce {
  /** Null for the policies of the tenant. */
  readonly scopeId: string | null
  /** 0 before the first version. */
  readonly version: number
  readonly text: string
  /**
   * The hash of the whole policy set: the default policies, those of the tenant and, for a scope, those of the scope.
   */
  readonly hash: string
  readonly createdAt: Date | null
  readonly createdBy: string | null
  readonly defaultText: string
  /** The latest versions, newest first. */
  readonly versions: readonly PolicyVersionRow[]
}

const SHOWN_VERSIONS = 50
/** The scope id in the row of a tenant's own policies: the column is part of the key, so it cannot be null. */
const OF_TENANT = ''

export async function getPolicy(
  deps: PoliciesDeps,
  who: TenantCaller,
  scopeId: string | null,
): Promise<PolicyInForce> {
  return inTenant(deps.pools.tenant, who.tenantId, async (transaction) => {
    if (scopeId !== null && !(await selectScopeHead(transaction, scopeId))) throw new Fault('scope_not_found')
    return readPolicy(deps, transaction, scopeId)
  })
}

/** Writes the next version. An unchanged text creates no version. An empty text removes the policies. */
export async function putPolicy(
  deps: PoliciesDeps,
  who: TenantCaller,
  scopeId: string | null,
  text: string,
): Promise<PolicyInForce> {
  requireValid(deps, text, '#/text')
  const { tenantId } = who
  if (scopeId === null)
    return inTenant(deps.pools.tenant, tenantId, (transaction) =>
      writePolicy(deps, transaction, who, scopeId, text),
    )
  return inTenantScope(deps.pools.tenant, { tenantId, scopeId }, async (transaction) => {
    if (!(await lockScopeHead(transaction, scopeId))) throw new Fault('scope_not_found')
    return writePolicy(deps, transaction, who, scopeId, text)
  })
}

/** Throws a fault that names each problem of the text and its field in the request. */
export function requireValid(
  { policyEngine }: Pick<PoliciesDeps, 'policyEngine'>,
  text: string,
  pointer: string,
): void {
  const problems = policyEngine.check(text)
  if (problems.length === 0) return
  throw new Fault('policy_invalid', { fields: problems.map((problem) => toFieldFault(problem, pointer)) })
}

/** Writes a valid text. For a scope, the transaction must have locked or created it. */
export async function writePolicy(
  deps: Omit<PoliciesDeps, 'pools'>,
  transaction: TenantTransaction,
  who: TenantCaller,
  scopeId: string | null,
  text: string,
): Promise<PolicyInForce> {
  const version = await storePolicy(transaction, who, scopeId, text)
  const written = await readPolicy(deps, transaction, scopeId)
  if (version !== undefined) await recordChange(deps, transaction, who, written)
  return written
}

async function storePolicy(
  transaction: TenantTransaction,
  who: TenantCaller,
  scopeId: string | null,
  text: string,
): Promise<number | undefined> {
  const key = scopeId ?? OF_TENANT
  await store.recordPolicyChange(transaction)
  const before = await store.selectPolicy(transaction, key)
  if ((before?.text ?? '') === text) return undefined
  const version = (before?.version ?? 0) + 1
  await store.insertPolicy(transaction, key, { version, text, createdBy: who.actor })
  await wakeHeldSteps(transaction, scopeId, 'not_permitted')
  return version
}

async function recordChange(
  { auditor }: Pick<PoliciesDeps, 'auditor'>,
  { connection, tenantId }: TenantTransaction,
  who: TenantCaller,
  { scopeId, version, text, hash }: PolicyInForce,
): Promise<void> {
  const details = { version, empty: text === '', policy_hash: hash }
  await recordAudit(connection, auditor, [{ action: 'policy.changed', who, tenantId, scopeId, details }])
}

async function readPolicy(
  { policyEngine }: Pick<PoliciesDeps, 'policyEngine'>,
  transaction: TenantTransaction,
  scopeId: string | null,
): Promise<PolicyInForce> {
  const key = scopeId ?? OF_TENANT
  const { tenant, scope } = await store.selectPoliciesInForce(transaction, key)
  const newest = await store.selectPolicy(transaction, key)
  return {
    scopeId,
    version: newest?.version ?? 0,
    text: newest?.text ?? '',
    hash: policyEngine.hashOf({ tenant, scope: scopeId === null ? '' : scope }),
    createdAt: newest?.createdAt ?? null,
    createdBy: newest?.createdBy ?? null,
    defaultText: policyEngine.defaultText,
    versions: await store.selectPolicyVersions(transaction, key, SHOWN_VERSIONS),
  }
}

function toFieldFault(
  { line, column, code, message, help }: ReturnType<PolicyEngine['check']>[number],
  pointer: string,
) {
  const where = `line ${line}, column ${column}: ${message}`
  return { pointer, code, message: help === null ? where : `${where}; ${help}` }
}
