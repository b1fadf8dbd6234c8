/**
 * Checks whether the secrets of this machine match the stored data. On a sample, the master key must unwrap the data keys,
 * and the fingerprint key must give a document its stored fingerprint. It also checks which secrets are still needed, and
 * whether a root key exists.
 */
import { failed, warning, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import { keyStatus } from '../../domain/key.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import { createFingerprints } from '../../platform/fingerprint.ts'
import { SealError } from '../../platform/sealing.ts'
import { selectContentSample } from '../../store/documents/content-sample.ts'
import { selectRootKeys } from '../../store/identity/key-registry.ts'
import type { Pool, Pools } from '../../store/pools.ts'
import { selectScopes } from '../../store/scopes/scopes.ts'
import { selectTenants } from '../../store/identity/tenants.ts'
import { inTenant } from '../../store/transaction.ts'
import { contentParts, openCard } from '../documents/document-card.ts'
import { createScopeSeals } from '../scopes/scope-seals.ts'
import type { ScopeSeals } from '../scopes/scope-seals.ts'
import { attempt } from './attempt.ts'
import { checkMasterKeyUse, checkPeppers } from './needed-secrets.ts'

export interface Secrets {
  readonly masterKeys?: readonly MasterKeyBytes[] | undefined
  readonly peppers?: readonly Buffer[] | undefined
  readonly fingerprintKey?: Buffer | undefined
}

const TENANTS = 10
const SCOPES = 5

interface ScopeRef {
  readonly tenantId: string
  readonly scopeId: string
}

export async function checkSecrets(pools: Pools, secrets: Secrets): Promise<Check[]> {
  const { masterKeys, peppers, fingerprintKey } = secrets
  return [
    ...(masterKeys ? await checkStored(pools, masterKeys, fingerprintKey) : []),
    ...(peppers ? await checkPeppers(pools.registry, peppers) : []),
    ...(await checkRootKeys(pools.registry)),
  ]
}

async function checkStored(
  pools: Pools,
  masterKeys: readonly MasterKeyBytes[],
  fingerprintKey: Buffer | undefined,
): Promise<Check[]> {
  return attempt('master key', 'fix the failed checks of Postgres first', async () => {
    const seals = createScopeSeals({ pool: pools.tenant, masterKeys })
    const scopes = await sampleScopes(pools)
    const opened = await Promise.all(scopes.map((scope) => opens(seals, scope)))
    const openable = scopes.filter((_, index) => opened[index] === undefined)
    return [
      judgeMasterKey(opened),
      await checkMasterKeyUse(pools, masterKeys),
      ...(fingerprintKey ? [await checkFingerprints(pools.tenant, seals, openable, fingerprintKey)] : []),
    ]
  })
}

async function sampleScopes({ registry, tenant }: Pools): Promise<ScopeRef[]> {
  const tenants = await selectTenants(registry, undefined, TENANTS)
  const scopes = await Promise.all(
    tenants.map(({ tenantId }) =>
      inTenant(tenant, tenantId, async (transaction) =>
        (await selectScopes(transaction, undefined, SCOPES)).map(({ scopeId }) => ({ tenantId, scopeId })),
      ),
    ),
  )
  return scopes.flat()
}

/** Returns why the data key of the scope cannot be unwrapped, or undefined if it can. */
async function opens(seals: ScopeSeals, { tenantId, scopeId }: ScopeRef): Promise<string | undefined> {
  try {
    await seals.get(tenantId, scopeId)
    return undefined
  } catch (error) {
    if (error instanceof SealError) return error.message
    throw error
  }
}

function judgeMasterKey(opened: readonly (string | undefined)[]): Check {
  const name = 'master key'
  const reasons = new Set(opened.filter((reason) => reason !== undefined))
  if (opened.length === 0) return ok(name, 'there is no scope yet, so nothing to open')
  const good = opened.filter((reason) => reason === undefined).length
  const found = `opens ${good} of ${opened.length} data keys looked at`
  if (reasons.size === 0) return ok(name, found)
  const advice =
    'put back into MASTER_KEY the key that they were wrapped with; without it that content is lost'
  return failed(name, `${found}: ${[...reasons].join('; ')}`, advice)
}

/** Compares the fingerprint of one stored document with the one that this key gives. */
async function checkFingerprints(
  pool: Pool,
  seals: ScopeSeals,
  scopes: readonly ScopeRef[],
  fingerprintKey: Buffer,
): Promise<Check> {
  const name = 'fingerprint key'
  const fingerprints = createFingerprints(fingerprintKey)
  for (const { tenantId, scopeId } of scopes) {
    // oxlint-disable-next-line no-await-in-loop -- the first that has a document is enough
    const sample = await inTenant(pool, tenantId, (transaction) => selectContentSample(transaction, scopeId))
    if (!sample) continue
    const { documentId, type, fingerprint, sealedCard, sealedText } = sample
    // oxlint-disable-next-line no-await-in-loop -- ends here
    const seal = await seals.get(tenantId, scopeId)
    const card = openCard(seal, documentId, sealedCard)
    const text = seal.open('text', documentId, sealedText).toString('utf8')
    if (fingerprints(tenantId)(contentParts({ ...card, type, text })).equals(fingerprint))
      return ok(name, 'gives a stored document the fingerprint it has')
    const advice =
      'set FINGERPRINT_KEY to what it was, or to the first KEY_PEPPER that this deployment had: under another one a document that is sent again becomes a new version'
    return failed(name, 'gives a stored document another fingerprint than it has', advice)
  }
  return ok(name, 'there is no document that opens to compare it with')
}

async function checkRootKeys(registry: Pool): Promise<Check[]> {
  return attempt('root keys', 'run service/roles.sql as the administrator of Postgres', async () => {
    const live = (await selectRootKeys(registry)).filter((key) => keyStatus(key) === 'live')
    const count = (tier: string) => live.filter((key) => key.tier === tier).length
    const found = `${count('admin')} admin and ${count('internals')} internals keys are live`
    if (live.length > 0) return [ok('root keys', found)]
    return [warning('root keys', found, 'make one: concord keys create --tier internals')]
  })
}
