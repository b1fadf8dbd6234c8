/**
 * Rewraps every data key with the first key of `MASTER_KEY`, tenant by tenant, a few per transaction. It is idempotent: run it again to
 * continue an interrupted run. Content is not encrypted again.
 */
import type { AuditActor } from '../../domain/audit.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import { selectAuditKeys } from '../../store/audit/audit.ts'
import type { Pools } from '../../store/pools.ts'
import { countDataKeys, lockScopeKeysUnder, updateScopeKeys } from '../../store/scopes/scope-keys.ts'
import { selectTenants } from '../../store/identity/tenants.ts'
import type { TenantPosition } from '../../store/identity/tenants.ts'
import { inService, inTenant } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import { rewrapScopeKeys } from '../scopes/scope-keys.ts'

export interface RewrapDeps {
  readonly pools: Pools
  readonly masterKeys: readonly MasterKeyBytes[]
  readonly auditor: Auditor
}

export interface RewrapProgress {
  readonly tenants: number
  readonly dataKeys: number
}

export interface RewrapResult extends RewrapProgress {
  readonly from: string
  readonly to: string
  /** Data keys that the old master key still wraps, because another process created them meanwhile. */
  readonly dataKeysLeft: number
  /** True if the audit log still needs the old key: the last chained entry has it, or entries with it are not chained yet. */
  readonly auditNeedsIt: boolean
}

const TENANTS = 100
/** Data keys per transaction, which takes some milliseconds. */
const BATCH = 200

export async function rewrapDataKeys(
  deps: RewrapDeps,
  who: AuditActor,
  from: string,
  onProgress: (progress: RewrapProgress) => void = () => undefined,
): Promise<RewrapResult> {
  const to = requireKeys(deps.masterKeys, from)
  const { pools, auditor } = deps
  await inService(pools.registry, (connection) =>
    recordAudit(connection, auditor, [{ action: 'rewrap.started', who, details: { from, to } }]),
  )
  let [tenants, dataKeys] = [0, 0]
  for await (const tenantId of everyTenant(pools)) {
    dataKeys += await rewrapTenant(deps, tenantId, from, (more) =>
      onProgress({ tenants, dataKeys: dataKeys + more }),
    )
    tenants += 1
  }
  const { uses } = await countMasterKeyUses(pools)
  return {
    from,
    to,
    tenants,
    dataKeys,
    dataKeysLeft: uses.get(from) ?? 0,
    auditNeedsIt: (await selectAuditKeys(pools.kernel)).includes(from),
  }
}

/** Returns the id of the first key of `MASTER_KEY`, which wraps from now on. */
function requireKeys(masterKeys: readonly MasterKeyBytes[], from: string): string {
  const [first] = masterKeys
  if (!masterKeys.some(({ id }) => id === from))
    throw new Error(`Master key ${from} is not in MASTER_KEY; without it nothing that it wraps can be opened`)
  if (!first || first.id === from)
    throw new Error(`${from} is the first of MASTER_KEY; put the new master key before it, on every process`)
  return first.id
}

export interface MasterKeyUses {
  /** The number of data keys that each master key wraps, by its id. */
  readonly uses: ReadonlyMap<string, number>
  /** True if there are tenants that were not checked. */
  readonly isPartial: boolean
}

export async function countMasterKeyUses(pools: Pools, maxTenants = Infinity): Promise<MasterKeyUses> {
  const uses = new Map<string, number>()
  let tenants = 0
  for await (const tenantId of everyTenant(pools)) {
    if (tenants === maxTenants) return { uses, isPartial: true }
    tenants += 1
    for (const { masterKeyId, dataKeys } of await inTenant(pools.tenant, tenantId, countDataKeys))
      uses.set(masterKeyId, (uses.get(masterKeyId) ?? 0) + dataKeys)
  }
  return { uses, isPartial: false }
}

async function* everyTenant({ registry }: Pools): AsyncGenerator<string> {
  let after: TenantPosition | undefined
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page goes on from the one before
    const page = await selectTenants(registry, after, TENANTS)
    for (const { tenantId } of page) yield tenantId
    if (page.length < TENANTS) return
    after = page.at(-1)?.position
  }
}

async function rewrapTenant(
  { pools, masterKeys }: RewrapDeps,
  tenantId: string,
  from: string,
  onBatch: (dataKeys: number) => void,
): Promise<number> {
  let done = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- what one batch moved, the next one does not find
    const moved = await inTenant(pools.tenant, tenantId, async (transaction) => {
      const keys = await lockScopeKeysUnder(transaction, from, BATCH)
      const rewrapped = keys.map((key) => ({
        ...key,
        ...rewrapScopeKeys(masterKeys, { tenantId, ...key }, key),
      }))
      await updateScopeKeys(transaction, rewrapped)
      return keys.length
    })
    done += moved
    if (moved > 0) onBatch(done)
    if (moved < BATCH) return done
  }
}
