/**
 * Handles requests with an idempotency key. The response is stored in the transaction that creates, so the key and the
 * creation exist together or not at all. A repeated request gets the stored response.
 */
import type { TenantCaller } from '../domain/caller.ts'
import { Fault } from '../domain/fault.ts'
import type { MasterKeyBytes } from '../platform/config.ts'
import type { Fingerprints } from '../platform/fingerprint.ts'
import { openSealed, seal } from '../platform/sealing.ts'
import type { Pools } from '../store/pools.ts'
import { insertKeyRecord, selectKeyRecord } from '../store/idempotency.ts'
import { inTenant } from '../store/transaction.ts'
import type { TenantTransaction } from '../store/transaction.ts'
import { isConflict } from '../store/failures.ts'
import type { StoreAnswer, StoredAnswer } from './stored-answers.ts'
import { requireScope } from './scopes/required-scope.ts'
import { openScopeDataKey } from './scopes/scopes.ts'

export interface IdempotencyDeps {
  readonly pools: Pools
  readonly fingerprints: Fingerprints
  readonly masterKeys: readonly MasterKeyBytes[]
}

export interface KeyedRequest {
  readonly key: string
  /** Identifies the request: its operation and its validated input. */
  readonly parts: readonly string[]
}

/**
 * Runs the work unless its response is stored already. Of concurrent requests one commits. The others fail in their transaction,
 * because the key or the created row exists, and get the response of the first.
 */
export async function answerOnce<Fresh>(
  deps: IdempotencyDeps,
  who: TenantCaller,
  request: KeyedRequest,
  work: (keep: StoreAnswer) => Promise<Fresh>,
): Promise<{ readonly fresh: Fresh } | { readonly kept: StoredAnswer }> {
  const fingerprint = deps.fingerprints(who.tenantId)
  const hashes = { keyHash: fingerprint(['key', request.key]), request: fingerprint(request.parts) }
  const kept = await findAnswer(deps, who, hashes)
  if (kept) return { kept }
  try {
    return { fresh: await work((transaction, ...rest) => keepAnswer(deps, transaction, hashes, ...rest)) }
  } catch (error) {
    if (!(error instanceof Fault || isConflict(error))) throw error
    const keptMeanwhile = await findAnswer(deps, who, hashes)
    if (keptMeanwhile) return { kept: keptMeanwhile }
    throw error
  }
}

interface RequestHashes {
  readonly keyHash: Buffer
  readonly request: Buffer
}

async function findAnswer(
  deps: IdempotencyDeps,
  { tenantId }: TenantCaller,
  { keyHash, request }: RequestHashes,
): Promise<StoredAnswer | undefined> {
  return inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    const found = await selectKeyRecord(transaction, keyHash)
    if (!found) return undefined
    if (!found.sealedAnswer || !found.request.equals(request)) throw new Fault('idempotency_key_reused')
    await requireScope(transaction, found.scopeId)
    const { bytes, context } = await sealOf(deps, transaction, found.scopeId, keyHash)
    return JSON.parse(openSealed(bytes, context, found.sealedAnswer).toString('utf8'))
  })
}

async function keepAnswer(
  deps: IdempotencyDeps,
  transaction: TenantTransaction,
  { keyHash, request }: RequestHashes,
  scopeId: string,
  answer: StoredAnswer,
): Promise<void> {
  const { bytes, context } = await sealOf(deps, transaction, scopeId, keyHash)
  const sealedAnswer = seal(bytes, context, Buffer.from(JSON.stringify(answer)))
  if (!(await insertKeyRecord(transaction, keyHash, { scopeId, request, sealedAnswer })))
    throw new Fault('unavailable', { internal: 'the idempotency key was taken meanwhile' })
}

/** A response is encrypted with the data key of its scope and deleted with it. */
async function sealOf(
  { masterKeys }: IdempotencyDeps,
  transaction: TenantTransaction,
  scopeId: string,
  keyHash: Buffer,
) {
  const { epoch, bytes } = await openScopeDataKey(masterKeys, transaction, scopeId)
  const context = ['answer', transaction.tenantId, scopeId, keyHash.toString('hex'), String(epoch)]
  return { bytes, context }
}
