/** The state that a reset leaves behind, as far as sealing is concerned: another generation with a key of its own. */
import { createDataKey, wrapDataKey } from '../../src/platform/sealing.ts'
import type { TestDatabase } from './database.ts'
import { look } from './documents.ts'
import { masterKeys } from './people.ts'
import type { TestTenant } from './people.ts'

export async function nextGeneration(
  database: TestDatabase,
  { tenantId }: TestTenant,
  scopeId: string,
): Promise<number> {
  const place = [tenantId, scopeId]
  const [row] = await look<{ epoch: number }>(
    database,
    'update scopes set epoch = epoch + 1 where tenant_id = $1 and scope_id = $2 returning epoch',
    place,
  )
  const epoch = row?.epoch ?? 0
  const { masterKeyId, wrapped } = wrapDataKey(
    masterKeys,
    ['scope-data-key', tenantId, scopeId, String(epoch)],
    createDataKey(),
  )
  await look(database, 'delete from scope_keys where tenant_id = $1 and scope_id = $2', place)
  await look(database, 'insert into scope_keys values ($1, $2, $3, $4, $5)', [
    ...place,
    epoch,
    masterKeyId,
    wrapped,
  ])
  await look(database, 'update scope_heads set epoch = $3 where tenant_id = $1 and scope_id = $2', [
    ...place,
    epoch,
  ])
  return epoch
}
