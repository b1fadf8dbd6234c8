/** Tests what migration 0021 makes of rows that told their kind by an absent value or a number that stood for one. */
import { afterEach, describe, expect, it } from 'vitest'
import { createDatabase, dropDatabase } from '@concord/tools/launch'
import { migrate, readMigrations } from '../../../src/store/schema/migrations.ts'
import { useDatabase } from '../../support/database.ts'
import { inSession } from '../../support/sessions.ts'

const database = useDatabase()
const TENANT = '11111111-2222-4333-8444-555555555555'
const name = () => `${database().name}_kinds`

afterEach(() => dropDatabase(database().services, name()))

describe('rows that were there before', () => {
  it('get the name of their kind', async () => {
    await createDatabase(database().services, { name: name() })
    const url = database().services.postgres.url('owner', name())
    const superuser = { connectionString: database().services.postgres.url('superuser', name()) }
    const migrations = await readMigrations()
    await migrate(
      url,
      migrations.filter(({ version }) => version < 21),
    )
    await inSession(superuser, (client) =>
      client.query(`
        insert into contested (tenant_id, scope_id, document_id, no, times)
        values ('${TENANT}', 's', 'a', -1, 2), ('${TENANT}', 's', 'a', 1, 1), ('${TENANT}', 's', 'a', 2, 1);
        insert into claims (tenant_id, scope_id, document_id, no, version, epoch, kind, claim_rank, keys, value_ranks, sealed)
        values ('${TENANT}', 's', 'a', 1, 1, 0, 'number', 1, '{7}', '{1}', ''),
               ('${TENANT}', 's', 'a', 2, 1, 0, 'number', 2, '{}', '{}', '')`),
    )
    await migrate(url, migrations)
    const read = (sql: string) =>
      inSession(superuser, async (client) =>
        (await client.query<{ row: string }>(sql)).rows.map(({ row }) => row),
      )
    expect(
      await read(`select concat_ws(' ', kind, no, times) as row from contested order by kind, no`),
    ).toEqual(['claim 1 1', 'claim 2 1', 'document 0 2'])
    expect(await read(`select concat_ws(' ', no, compared_by) as row from claims order by no`)).toEqual([
      '1 groups',
      '2 facts',
    ])
    expect(
      await read(
        `select relname as row from pg_class where relname in ('contested', 'claims') and not relforcerowsecurity`,
      ),
    ).toEqual([])
  })
})
