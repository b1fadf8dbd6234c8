/** Functions in files: installed after the migrations, again where a file changed, and the body that is in force is the one in the file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDatabase, dropDatabase } from '@concord/tools/launch'
import { installFunctions, readFunctions } from '../../../src/store/schema/functions.ts'
import type { FunctionFile } from '../../../src/store/schema/functions.ts'
import { readMigrations } from '../../../src/store/schema/migrations.ts'
import { useDatabase } from '../../support/database.ts'
import { inSession } from '../../support/sessions.ts'

vi.setConfig({ testTimeout: 30_000 })

const database = useDatabase()
const made: string[] = []

async function emptyDatabase(): Promise<string> {
  const name = `${database().name}_f${made.length}`
  made.push(name)
  await createDatabase(database().services, { name })
  return database().services.postgres.url('owner', name)
}

afterEach(async () => {
  for (const name of made.splice(0)) await dropDatabase(database().services, name)
})

function file(name: string, returned: string, checksum = returned): FunctionFile {
  const sql = `create or replace function ${name}() returns integer language sql return ${returned};`
  return { name, sql, checksum }
}

async function answerOf(url: string, call: string): Promise<unknown> {
  return inSession({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ answer: unknown }>(`select ${call} as answer`)
    return rows[0]?.answer
  })
}

describe('installFunctions', () => {
  it('installs functions before their callers, whatever their names are', async () => {
    const url = await emptyDatabase()
    const names = await installFunctions(url, [file('a', 'b() + 1'), file('b', 'c() + 1'), file('c', '1')])
    expect(names).toEqual(['c', 'b', 'a'])
    expect(await answerOf(url, 'a()')).toBe(3)
  })

  it('installs only what changed', async () => {
    const url = await emptyDatabase()
    await installFunctions(url, [file('a', '1'), file('b', '2')])
    expect(await installFunctions(url, [file('a', '1'), file('b', '2')])).toEqual([])
    expect(await installFunctions(url, [file('a', '1'), file('b', '5')])).toEqual(['b'])
    expect(await answerOf(url, 'a() + b()')).toBe(6)
  })

  it('installs all or none, and names the one that failed', async () => {
    const url = await emptyDatabase()
    await installFunctions(url, [file('a', '1')])
    const failure = installFunctions(url, [file('a', '2'), file('b', 'nowhere()')])
    await expect(failure).rejects.toThrow(/Function b was not installed, and neither was any other/)
    expect(await answerOf(url, 'a()')).toBe(1)
  })

  it('installs each once when two do so at the same time', async () => {
    const url = await emptyDatabase()
    const files = [file('a', '1'), file('b', '2')]
    const runs = await Promise.all([installFunctions(url, files), installFunctions(url, files)])
    expect(runs.map((names) => names.length).toSorted((a, b) => a - b)).toEqual([0, 2])
  })
})

describe('readFunctions', () => {
  it('refuses a file that does not make the function of its name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'concord-functions-'))
    await writeFile(join(folder, 'one.sql'), 'create function one() returns void language sql return null')
    await expect(readFunctions(pathToFileURL(`${folder}/`))).rejects.toThrow(
      /one.sql must create or replace the function of its name/,
    )
    await rm(folder, { recursive: true })
  })
})

/** The functions that the tables themselves need, and that are made before them. */
const HOUSE_RULES = ['app_tenant', 'partition_by_tenant', 'protect_tenant_table']

describe('the functions of this release', () => {
  it('are all in a file each, with the body that is in force', async () => {
    const { rows } = await database().superuser.query<{ proname: string; prosrc: string }>(
      `select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace and prokind <> 'a'`,
    )
    const files = new Map((await readFunctions()).map(({ name, sql }) => [name, sql]))
    const others = rows.map(({ proname }) => proname).filter((name) => !files.has(name))
    expect(others.toSorted()).toEqual(HOUSE_RULES)
    expect(rows.filter(({ proname, prosrc }) => !(files.get(proname) ?? prosrc).includes(prosrc))).toEqual([])
  })

  it('begin with their purpose, and are not created by a migration', async () => {
    const files = await readFunctions()
    expect(files.filter(({ sql }) => !sql.startsWith('-- '))).toEqual([])
    const migrations = await readMigrations()
    const making = migrations.filter(({ sql }) => /create (?:or replace )?(?:function|trigger)/i.test(sql))
    expect(making.map(({ name }) => name)).toEqual(['house_rules'])
  })
})

describe('markers in functions', () => {
  const namesIn = (texts: readonly string[]) =>
    texts.flatMap((text) => text.match(/(?<=-- @point )[\w.-]+/g) ?? []).toSorted()

  /** A setting of a function stands before its body, so Postgres keeps the value and not the comment beside it. */
  const markedSettings = (sql: string) =>
    [...sql.matchAll(/^\s+set (\w+) = '(\w+)' -- @point ([\w.-]+)$/gm)].map(([, key, value, name = '']) => ({
      name,
      setting: `${key}=${value}`,
    }))

  it('are all in the installed functions, so that breaking a marked line breaks something', async () => {
    const written = namesIn((await readFunctions()).map(({ sql }) => sql))
    const { rows } = await database().superuser.query<{ prosrc: string; settings: string[] }>(
      `select prosrc, coalesce(proconfig, '{}') as settings from pg_proc where pronamespace = 'public'::regnamespace`,
    )
    const inForce = new Set(rows.flatMap(({ settings }) => settings))
    const inHeaders = (await readFunctions()).flatMap(({ sql }) => markedSettings(sql))
    expect(written.length).toBeGreaterThan(0)
    expect(inHeaders.filter(({ setting }) => !inForce.has(setting))).toEqual([])
    const names = [...namesIn(rows.map(({ prosrc }) => prosrc)), ...inHeaders.map(({ name }) => name)]
    expect(names.toSorted()).toEqual(written)
  })
})
