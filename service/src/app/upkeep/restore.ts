/**
 * Restores a backup: migrations create the schema, and the backup has the rows. All rows are copied in one transaction, which
 * commits only if the audit log verifies, so a database is restored completely or not at all.
 */
import { createAuditor } from '../../platform/audit-key.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import { SealError, unwrapDataKey } from '../../platform/sealing.ts'
import * as store from '../../store/upkeep/backup.ts'
import type { Client, Reference, StoredTable } from '../../store/upkeep/backup.ts'
import { installFunctions } from '../../store/schema/functions.ts'
import type { FunctionFile } from '../../store/schema/functions.ts'
import { migrate, selectApplied } from '../../store/schema/migrations.ts'
import type { AppliedMigration, Migration } from '../../store/schema/migrations.ts'
import type { AuditActor } from '../../domain/audit.ts'
import { recordAudit } from '../audit/audit.ts'
import { verifyAudit } from '../audit/audit-verification.ts'
import { readTableFile, verifyTableFile } from './backup/files.ts'
import { readManifest } from './backup/manifest.ts'
import type { Manifest, ManifestTable } from './backup/manifest.ts'
import { scopeKeyContext } from '../scopes/scope-keys.ts'

export interface RestoreOrder {
  /** The connection URL of the owner of the tables, for a database without rows. */
  readonly ownerUrl: string
  readonly dir: string
  readonly masterKeys: readonly MasterKeyBytes[]
  /** Those of this release. */
  readonly migrations: readonly Migration[]
  readonly functions: readonly FunctionFile[]
  readonly who: AuditActor
}

export interface RestoreResult {
  readonly manifest: Manifest
  readonly rows: number
  /** Migrations of this release that are newer than the backup. They were applied to the restored rows. */
  readonly migrated: readonly Migration[]
}

export async function restore(order: RestoreOrder): Promise<RestoreResult> {
  const { ownerUrl, dir, masterKeys, migrations, functions } = order
  const manifest = await readManifest(dir)
  const then = migrationsOf(manifest, migrations)
  requireMasterKeys(manifest, masterKeys)
  // Checks all files before anything is written.
  for (const table of manifest.tables) {
    // oxlint-disable-next-line no-await-in-loop -- the disk is one
    await verifyTableFile(dir, table)
  }
  await migrate(ownerUrl, then)
  const rows = await store.withClient(ownerUrl, (client) => fill(client, manifest, order))
  const migrated = await migrate(ownerUrl, migrations)
  // Triggers are created after the rows, because the counts that they maintain are among the rows.
  await installFunctions(ownerUrl, functions)
  await store.withClient(ownerUrl, store.analyzeTables)
  return { manifest, rows, migrated }
}

/** Returns the migrations that the backup had, because its rows fit only that schema. */
function migrationsOf(manifest: Manifest, known: readonly Migration[]): Migration[] {
  const then = manifest.migrations
  const same = then.every(({ version, checksum }, at) => {
    const ours = known[at]
    return ours?.version === version && ours.checksum === checksum
  })
  if (same) return known.slice(0, then.length)
  throw new Error(
    `The backup was taken by release ${manifest.concord} and has migrations that this release does not; restore it with that one`,
  )
}

function requireMasterKeys({ master_keys: needed }: Manifest, present: readonly MasterKeyBytes[]): void {
  const missing = needed.filter((id) => !present.some((key) => key.id === id))
  if (missing.length > 0)
    throw new Error(
      `The backup needs master key ${missing.join(', ')}; without it nothing in it can be opened. Add it to MASTER_KEY`,
    )
}

async function fill(client: Client, manifest: Manifest, order: RestoreOrder): Promise<number> {
  requireSame(await selectApplied(client), manifest.migrations)
  const tables = await store.selectStoredTables(client)
  requireTables(tables, manifest)
  const forced = await store.beginRestore(client, tables)
  const filled = await store.selectNonEmptyTables(client, tables)
  if (filled.length > 0)
    throw new Error(
      `The database is not empty: ${filled.join(', ')} already hold${filled.length === 1 ? 's' : ''} rows. Restore into a new one`,
    )
  // Migrations insert some rows. The backup has its own version of them.
  await store.emptyTables(client, tables)
  let total = 0
  for (const table of inOrder(manifest.tables, await store.selectReferences(client))) {
    // oxlint-disable-next-line no-await-in-loop -- one connection, one transaction
    total += await fillTable(client, table, order.dir)
  }
  for (const sequence of manifest.sequences) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await store.setSequence(client, sequence)
  }
  await verifyFilled(client, manifest, order)
  await store.commitRestore(client, tables, forced)
  return total
}

/** Sorts tables so that each comes after the tables that it references. */
function inOrder(tables: readonly ManifestTable[], references: readonly Reference[]): ManifestTable[] {
  const ordered: ManifestTable[] = []
  let waiting = [...tables]
  while (waiting.length > 0) {
    const left = new Set(waiting.map(({ name }) => name))
    const isFree = ({ name }: ManifestTable) =>
      !references.some(({ from, to }) => from === name && left.has(to))
    const free = waiting.filter(isFree)
    if (free.length === 0) throw new Error(`Tables refer to each other in a ring: ${[...left].join(', ')}`)
    ordered.push(...free)
    waiting = waiting.filter((table) => !free.includes(table))
  }
  return ordered
}

async function fillTable(client: Client, table: ManifestTable, dir: string): Promise<number> {
  const rows = await store.copyTableIn(client, table, readTableFile(dir, table))
  if (rows !== table.rows)
    throw new Error(`${table.file} held ${rows} rows instead of the ${table.rows} that the manifest tells of`)
  if ((await store.digestTable(client, table)) !== table.digest)
    throw new Error(`The rows of ${table.name} are not those that were there when the backup was taken`)
  return rows
}

async function verifyFilled(
  client: Client,
  { audit, taken_at: takenAt, concord }: Manifest,
  { masterKeys, who }: RestoreOrder,
): Promise<void> {
  for (const { tenantId, scopeId, epoch, ...key } of await store.selectSampleScopeKeys(client)) {
    try {
      unwrapDataKey(masterKeys, scopeKeyContext({ tenantId, scopeId, epoch }), key)
    } catch (cause) {
      if (!(cause instanceof SealError)) throw cause
      throw new Error(`Master key ${key.masterKeyId} is not the one that the backup was sealed with`, {
        cause,
      })
    }
  }
  const auditor = createAuditor(masterKeys)
  const anchor = { seq: audit.seq, chainMac: audit.chain_mac }
  const { fault } = await verifyAudit({ pools: { kernel: client }, auditor }, anchor)
  if (fault)
    throw new Error(`The audit log in the backup is not whole: entry ${fault.index}: ${fault.detail}`)
  const details = { taken_at: takenAt, release: concord, audit_seq: audit.seq }
  await recordAudit(client, auditor, [{ action: 'database.restored', who, details }])
}

function requireSame(found: readonly AppliedMigration[], then: readonly AppliedMigration[]): void {
  if (found.length !== then.length)
    throw new Error(
      `The database has ${found.length} migrations and the backup ${then.length}; restore into a database without tables`,
    )
}

/** Names of tables and columns are inserted into SQL, so they must match the ones in the database. */
function requireTables(found: readonly StoredTable[], { tables, sequences }: Manifest): void {
  if (namesIn(found) !== namesIn(tables) || sequences.some(({ name }) => !/^[a-z_]+$/.test(name)))
    throw new Error('The manifest names other tables than the migrations make')
}

function namesIn(tables: readonly StoredTable[]): string {
  return tables
    .map(({ name, columns }) => JSON.stringify([name, columns.toSorted()]))
    .toSorted()
    .join()
}
