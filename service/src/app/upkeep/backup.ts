/**
 * Takes a backup: a snapshot of every table while the service runs. Master keys are not included, because they are not in the
 * database. NATS is not included, because the dispatcher can dispatch everything in it again.
 */
import { selectAuditHead } from '../../store/audit/audit.ts'
import * as store from '../../store/upkeep/backup.ts'
import type { Client } from '../../store/upkeep/backup.ts'
import { isNotAllowed } from '../../store/failures.ts'
import { selectApplied } from '../../store/schema/migrations.ts'
import { selectClock } from '../../store/server-facts.ts'
import { requireEmptyFolder, writeTableFile } from './backup/files.ts'
import { writeManifest } from './backup/manifest.ts'
import type { Manifest, ManifestTable } from './backup/manifest.ts'

export type { Manifest }

export interface BackupOrder {
  /** The connection URL of a role that may read every row of every tenant. */
  readonly url: string
  readonly dir: string
  /** The release that takes the backup. */
  readonly version: string
}

export async function backUp({ url, dir, version }: BackupOrder): Promise<Manifest> {
  await requireEmptyFolder(dir)
  return store.withClient(url, async (client) => {
    const tables = await store.selectStoredTables(client)
    if (tables.length === 0) throw new Error('There is nothing to back up: the database has no tables')
    await explainRefusal(store.beginSnapshot(client, tables))
    const facts = await explainRefusal(selectFacts(client, version))
    const written: ManifestTable[] = []
    for (const table of tables) {
      const { output, rows } = store.copyTableOut(client, table)
      // oxlint-disable-next-line no-await-in-loop -- one connection, one snapshot
      const file = await explainRefusal(writeTableFile(dir, table.name, output))
      // oxlint-disable-next-line no-await-in-loop -- known when the file is written
      const counted = await rows
      // oxlint-disable-next-line no-await-in-loop -- one connection, one snapshot
      const digest = await store.digestTable(client, table)
      written.push({ ...table, columns: [...table.columns], rows: counted, digest, ...file })
    }
    const manifest: Manifest = { ...facts, sequences: await store.selectSequences(client), tables: written }
    await writeManifest(dir, manifest)
    return manifest
  })
}

async function selectFacts(client: Client, version: string): Promise<Omit<Manifest, 'sequences' | 'tables'>> {
  const migrations = await selectApplied(client)
  const head = await selectAuditHead(client)
  if (!head) throw new Error('The audit log has no head; run "concord audit verify" and see what is wrong')
  return {
    format: 1,
    concord: version,
    taken_at: new Date(await selectClock(client)).toISOString(),
    postgres: await store.selectServerVersion(client),
    migrations,
    master_keys: await store.selectNeededMasterKeys(client),
    audit: { seq: head.seq, chain_mac: head.chainMac },
  }
}

/** Postgres refuses instead of leaving rows out. The error adds what to do about it. */
async function explainRefusal<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    if (!isNotAllowed(cause)) throw cause
    throw new Error(
      'BACKUP_DATABASE_URL is of a role that may not read every row; service/backup-role.sql makes one that may',
      { cause },
    )
  }
}
