/**
 * The resources of `concord backup` and `concord restore`. Each connects with its own role; only the restore reads the
 * master keys.
 */
import { userInfo } from 'node:os'
import { backUp } from '../app/upkeep/backup.ts'
import { restore } from '../app/upkeep/restore.ts'
import type { BackupWork } from '../command/backup.ts'
import { parseBackupUrl, parseRestoreConfig } from '../platform/config.ts'
import { readFunctions } from '../store/schema/functions.ts'
import { readMigrations } from '../store/schema/migrations.ts'
import { readEnvironment } from './environment.ts'
import { version } from './version.ts'

export const backupWork: BackupWork = {
  backUp: async (dir) => backUp({ url: parseBackupUrl(await readEnvironment()), dir, version }),
  async restore(dir) {
    const { ownerUrl, masterKeys } = parseRestoreConfig(await readEnvironment())
    const who = { tier: 'internals', actor: `operator:${userInfo().username}` } as const
    const [migrations, functions] = await Promise.all([readMigrations(), readFunctions()])
    return restore({ ownerUrl, dir, masterKeys, migrations, functions, who })
  },
}
