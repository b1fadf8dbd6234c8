/** Checks which configured secrets are no longer needed, and which needed secrets are missing. */
import { failed, warning, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import { pepperId } from '../../platform/api-key.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import { selectAuditKeys } from '../../store/audit/audit.ts'
import { countKeysByPepper } from '../../store/identity/key-registry.ts'
import type { PepperUse } from '../../store/identity/key-registry.ts'
import type { Pool, Pools } from '../../store/pools.ts'
import { countMasterKeyUses } from '../upkeep/rewrap.ts'
import { attempt } from './attempt.ts'

/** The maximum number of tenants to check: each costs a short transaction. `concord keys rewrap` checks all of them. */
const TENANTS = 1_000

/** Reports which master key is in use (the first one), and whether anything still needs the others. */
export async function checkMasterKeyUse(pools: Pools, masterKeys: readonly MasterKeyBytes[]): Promise<Check> {
  const name = 'master keys'
  const { uses, isPartial } = await countMasterKeyUses(pools, TENANTS)
  const audited = await selectAuditKeys(pools.kernel)
  const countOf = (id: string) => uses.get(id) ?? 0
  const older = masterKeys.slice(1).map(({ id }) => id)
  const retired = isPartial ? [] : older.filter((id) => countOf(id) === 0 && !audited.includes(id))
  const scopes = isPartial ? ` in the first ${TENANTS} tenants` : ''
  const found = masterKeys
    .map(({ id }, at) => {
      if (retired.includes(id)) return `${id} is needed no more`
      const audit = audited.includes(id) && at > 0 ? ' and the end of the audit log' : ''
      return `${id}${at === 0 ? ' (in use)' : ''} wraps ${countOf(id)} data keys${scopes}${audit}`
    })
    .join('; ')
  const movable = older.find((id) => countOf(id) > 0)
  if (movable) return warning(name, found, `move them: concord keys rewrap --from ${movable}`)
  const [spare] = retired
  if (spare)
    return warning(
      name,
      found,
      `take ${spare} out of MASTER_KEY; keep it for older backups and audit entries`,
    )
  return ok(name, found)
}

export async function checkPeppers(registry: Pool, peppers: readonly Buffer[]): Promise<Check[]> {
  return attempt('pepper', 'run service/roles.sql as a superuser', async () => [
    judgePeppers(await countKeysByPepper(registry), peppers.map(pepperId)),
  ])
}

function judgePeppers(uses: readonly PepperUse[], configured: readonly string[]): Check {
  const name = 'pepper'
  const missing = uses.filter(({ pepperId: id }) => id !== null && !configured.includes(id))
  const [first] = missing
  if (first) {
    const found = `${sum(missing)} live keys were made with a KEY_PEPPER that is not configured, ${first.example} among them`
    return failed(name, found, 'add it to KEY_PEPPER, behind the others: without it these keys are refused')
  }
  const countOf = (id: string | null) => sum(uses.filter((use) => use.pepperId === id))
  const unknown = countOf(null)
  const older = configured.slice(1)
  const found = [
    ...configured.map((id, at) => `${ordinal(at)} has ${countOf(id)} live keys`),
    ...(unknown > 0 ? [`of ${unknown} it is not known until they are used`] : []),
  ].join('; ')
  const spare = older.findIndex((id) => countOf(id) === 0)
  if (spare >= 0 && unknown === 0)
    return warning(name, found, `take ${ordinal(spare + 1)} out of KEY_PEPPER; no live key needs it`)
  return ok(name, found)
}

const sum = (uses: readonly PepperUse[]) => uses.reduce((total, { liveKeys }) => total + liveKeys, 0)

const ordinal = (at: number) => `pepper ${at + 1}`
