/** `concord backup` and `concord restore`: the whole database into a folder and back. */
import type { Command } from 'commander'
import type { Manifest } from '../app/upkeep/backup.ts'
import type { RestoreResult } from '../app/upkeep/restore.ts'
import { printJson } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'

export interface BackupWork {
  backUp(dir: string): Promise<Manifest>
  restore(dir: string): Promise<RestoreResult>
}

export function addBackupCommands(program: Command, load: () => Promise<BackupWork>): void {
  program
    .command('backup <dir>')
    .description('write the whole database, as it is at this moment, into an empty folder')
    .option('--json', 'print the manifest as JSON')
    .action(async (dir: string, { json }: OutputOptions) => {
      const manifest = await (await load()).backUp(dir)
      if (json) printJson(manifest)
      else process.stdout.write(describeBackup(dir, manifest))
    })
  program
    .command('restore <dir>')
    .description('fill an empty database from a backup, all of it or nothing, and verify it')
    .option('--json', 'print JSON')
    .action(async (dir: string, { json }: OutputOptions) => {
      const restored = await (await load()).restore(dir)
      if (json) printJson(toJson(restored))
      else process.stdout.write(describeRestored(restored))
    })
}

function describeBackup(dir: string, { tables, taken_at: at, audit, master_keys: keys }: Manifest): string {
  const sum = (of: (table: Manifest['tables'][number]) => number) =>
    tables.reduce((total, table) => total + of(table), 0)
  const rows = sum((table) => table.rows)
  const bytes = sum((table) => table.bytes)
  return `${rows} rows of ${tables.length} tables are in ${dir}: ${bytes} bytes, as of ${at}, audit log up to ${audit.seq}.
Not in it, because they are not in the database, and needed to use it again:
  MASTER_KEY       ${keys.length === 0 ? 'nothing is sealed with any yet' : `with ${keys.join(', ')}`}
  KEY_PEPPER       without it every key is invalid
  CERTIFICATE_KEY  where it is set
Keep them where this backup is not.
`
}

function describeRestored({ manifest, rows, migrated }: RestoreResult): string {
  const later = migrated.map(({ version, name }) => `applied ${version} ${name}\n`).join('')
  return `${rows} rows of ${manifest.tables.length} tables are back, as of ${manifest.taken_at}.
The audit log is whole up to ${manifest.audit.seq}, and the master keys open what is sealed.
${later}What was erased after that moment is back as well: reset those scopes again.
`
}

function toJson({ manifest, rows, migrated }: RestoreResult): object {
  return {
    taken_at: manifest.taken_at,
    rows,
    audit_seq: manifest.audit.seq,
    migrated: migrated.map(({ version }) => version),
  }
}
