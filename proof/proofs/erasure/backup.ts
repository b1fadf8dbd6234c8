/** A backup of the live Postgres: a copy of its whole directory while it is down, and later a server on that copy. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startPrivatePostgres } from '@concord/tools/services'
import type { PrivatePostgres, Services } from '@concord/tools/services'
import { bindDatabase } from '../../harness/database.ts'
import type { Ask } from '../../harness/database.ts'
import type { SealKeyRow, Sealed } from './seals.ts'
import type { ErasureStage } from './stage.ts'

export type Backup = Awaited<ReturnType<typeof takeBackup>>

export async function takeBackup({ servers: { services, postgres }, deployment }: ErasureStage) {
  // Beside the live data, so that whoever Postgres runs as can enter.
  const folder = join(postgres.home, 'backup')
  await mkdir(folder)
  await chmod(folder, 0o711)
  await postgres.stop()
  try {
    // With owners and modes: Postgres refuses data that is not its own.
    await promisify(execFile)('cp', ['-a', dirname(postgres.dataDir), folder])
  } finally {
    await postgres.restart()
  }
  let restored: PrivatePostgres | undefined
  return {
    /** Starts a server on it beside the live one, and returns how to ask it. Once. */
    async restore(): Promise<Ask> {
      restored = await startPrivatePostgres({ dir: folder, choice: postgres.binaries.binDir })
      return bindDatabase(servicesOn(restored, services), deployment.databaseName).ask
    },
    async remove(): Promise<void> {
      await restored?.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function servicesOn({ host, port, url, dataDir }: PrivatePostgres, services: Services): Services {
  const urlOf = (_role: string, database = 'postgres') => new URL(`/${database}`, url).href
  return { ...services, postgres: { ...services.postgres, host, port, dataDir, url: urlOf } }
}

export function readKeyRows(ask: Ask): Promise<SealKeyRow[]> {
  return ask(
    `select tenant_id as "tenantId", scope_id as "scopeId", epoch, wrapped_key as wrapped from scope_keys`,
  )
}

/** Everything sealed that there is of a scope. */
export function readSealed(ask: Ask, scopeId: string): Promise<Sealed[]> {
  const place = 'tenant_id as "tenantId", scope_id as "scopeId", document_id as "documentId", epoch'
  return ask(
    `select 'text' as purpose, ${place}, '{}'::integer[] as numbers, sealed_text as sealed from document_versions where scope_id = $1
     union all select 'card', ${place}, '{}', sealed_card from documents where scope_id = $1
     union all select 'layout', ${place}, '{}', sealed_layout from documents where scope_id = $1 and sealed_layout is not null
     union all select 'reading', ${place}, array[version], sealed from readings where scope_id = $1
     union all select 'claim', ${place}, array[version, no], sealed from claims where scope_id = $1
     union all select 'contradiction', tenant_id, scope_id, contradiction_id::text, epoch, '{}', sealed
                 from contradictions where scope_id = $1
     union all select 'decision', tenant_id, scope_id, decision_id::text, epoch, '{}', sealed
                 from decisions where scope_id = $1 and sealed is not null`,
    [scopeId],
  )
}
