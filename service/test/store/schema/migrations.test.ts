import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { asSuperuser, createDatabase, dropDatabase } from '@concord/tools/launch'
import { migrate, readMigrations } from '../../../src/store/schema/migrations.ts'
import type { Migration } from '../../../src/store/schema/migrations.ts'
import { useDatabase } from '../../support/database.ts'
import { inSession } from '../../support/sessions.ts'

// All of them on an empty database: sixteen partitions for each table of tenants.
vi.setConfig({ testTimeout: 90_000 })

const database = useDatabase()
const made: string[] = []

/** A database without any table, as an operator finds it. */
async function emptyDatabase(): Promise<string> {
  const name = `${database().name}_${made.length}`
  made.push(name)
  await createDatabase(database().services, { name })
  return database().services.postgres.url('owner', name)
}

afterEach(async () => {
  for (const name of made.splice(0)) await dropDatabase(database().services, name)
})

function migration(version: number, name: string, sql: string): Migration {
  return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex'), breaking: false }
}

async function tablesAt(url: string): Promise<string[]> {
  return inSession({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        order by relname`,
    )
    return rows.map(({ relname }) => relname)
  })
}

describe('migrate', () => {
  it('brings an empty database to the present schema, and changes nothing when it runs again', async () => {
    const url = await emptyDatabase()
    const migrations = await readMigrations()
    expect(await migrate(url, migrations)).toEqual(migrations)
    expect(await tablesAt(url)).toEqual(
      expect.arrayContaining(['keys', 'schema_migrations', 'scopes', 'tenants']),
    )
    expect(await migrate(url, migrations)).toEqual([])
  })

  it('applies each migration once when two run at the same time', async () => {
    const url = await emptyDatabase()
    const migrations = await readMigrations()
    const runs = await Promise.all([
      migrate(url, migrations),
      migrate(url, migrations),
      migrate(url, migrations),
    ])
    expect(runs.map((applied) => applied.length).toSorted((a, b) => a - b)).toEqual([0, 0, migrations.length])
  })

  it('applies only new migrations', async () => {
    const url = await emptyDatabase()
    const first = migration(1, 'one', 'create table one ()')
    await migrate(url, [first])
    const second = migration(2, 'two', 'create table two ()')
    expect(await migrate(url, [first, second])).toEqual([second])
    expect(await tablesAt(url)).toEqual(['one', 'schema_migrations', 'two'])
  })

  it('leaves nothing of a failed migration, keeps earlier ones, and names the failed one', async () => {
    const url = await emptyDatabase()
    const good = migration(1, 'good', 'create table good ()')
    const bad = migration(2, 'bad', 'create table half (); select no_such_function()')
    const failure = await migrate(url, [good, bad, migration(3, 'later', 'create table later ()')]).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({
      message: expect.stringMatching(/Migration 2 \(bad\) failed and changed nothing/),
      cause: expect.objectContaining({ message: expect.stringContaining('no_such_function') }),
    })
    expect(await tablesAt(url)).toEqual(['good', 'schema_migrations'])
    expect(await migrate(url, [good, migration(2, 'bad', 'create table whole ()')])).toHaveLength(1)
  })

  it('refuses to go on when a migration was changed after it ran', async () => {
    const url = await emptyDatabase()
    await migrate(url, [migration(1, 'one', 'create table one ()')])
    const changed = [migration(1, 'one', 'create table uno ()'), migration(2, 'two', 'create table two ()')]
    await expect(migrate(url, changed)).rejects.toThrow(/Migration 1 \(one\) was changed after it ran/)
    expect(await tablesAt(url)).toEqual(['one', 'schema_migrations'])
  })

  it('accepts a database that a newer release has already migrated further', async () => {
    const url = await emptyDatabase()
    const one = migration(1, 'one', 'create table one ()')
    await migrate(url, [one, migration(2, 'two', 'create table two ()')])
    expect(await migrate(url, [one])).toEqual([])
  })

  it('fails instead of blocking other statements behind a lock it cannot get', async () => {
    const url = await emptyDatabase()
    const one = migration(1, 'one', 'create table one ()')
    await migrate(url, [one])
    await inSession({ connectionString: url }, async (client) => {
      await client.query('begin; lock table one in access share mode')
      const waits = migrate(url, [one, migration(2, 'two', 'alter table one add column more text')])
      await expect(waits).rejects.toMatchObject({
        message: expect.stringContaining('changed nothing'),
        cause: expect.objectContaining({ message: expect.stringContaining('lock timeout') }),
      })
    })
  })

  it('leaves no session and so no lock behind', async () => {
    const url = await emptyDatabase()
    await migrate(url, [migration(1, 'one', 'create table one ()')])
    const name = made.at(-1)
    const { rows } = await asSuperuser(database().services, (client) =>
      client.query(
        `select from pg_stat_activity where datname = $1 and application_name = 'concord-migrate'`,
        [name],
      ),
    )
    expect(rows).toEqual([])
  })
})

describe('readMigrations', () => {
  async function folderOf(files: Readonly<Record<string, string>>): Promise<URL> {
    const folder = await mkdtemp(join(tmpdir(), 'concord-migrations-'))
    await Promise.all(Object.entries(files).map(([name, sql]) => writeFile(join(folder, name), sql)))
    return pathToFileURL(`${folder}/`)
  }

  it('reads numbered files in order, with their checksum, and knows which are breaking', async () => {
    const folder = await folderOf({
      '0002_second.sql': '-- breaking: columns are gone\nselect 2',
      '0001_first.sql': 'select 1',
      'README.md': 'not a migration',
    })
    const read = await readMigrations(folder)
    expect(read.map(({ version, name, breaking }) => [version, name, breaking])).toEqual([
      [1, 'first', false],
      [2, 'second', true],
    ])
    expect(read[0]?.checksum).toBe(createHash('sha256').update('select 1').digest('hex'))
    await rm(folder, { recursive: true })
  })

  it('lets a number be left out', async () => {
    const folder = await folderOf({ '0001_first.sql': 'select 1', '0003_third.sql': 'select 3' })
    expect((await readMigrations(folder)).map(({ version }) => version)).toEqual([1, 3])
    await rm(folder, { recursive: true })
  })

  it.each([
    ['a number used twice', ['0001_a.sql', '0001_b.sql'], '0001_b.sql', 'a number of its own'],
    ['a wrong start', ['0000_zero.sql'], '0000_zero.sql', '0001_'],
    ['a name of another form', ['0001_first.sql', '2_second.sql'], '2_second.sql', '0001_'],
    ['capital letters', ['0001_First.sql'], '0001_First.sql', '0001_'],
  ])('refuses %s and says what the file must be called', async (_, files, wrong, next) => {
    const folder = await folderOf(Object.fromEntries(files.map((file) => [file, 'select 1'])))
    const reading = readMigrations(folder)
    await expect(reading).rejects.toThrow(wrong)
    await expect(reading).rejects.toThrow(next)
    await rm(folder, { recursive: true })
  })
})
