// The administrator of a managed Postgres is no superuser: roles.sql must do with CREATEROLE and CREATEDB.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PrivatePostgres, startPrivatePostgres } from './index.ts'
import { applyRoles } from './roles.ts'

let dir: string
let postgres: PrivatePostgres

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'concord-roles-'))
  postgres = await startPrivatePostgres({ dir, searchPath: process.env['PATH'] ?? '' })
  await query(`create role manager login createrole createdb password 'manager'`)
}, 60_000)
afterAll(async () => {
  await postgres.remove()
  rmSync(dir, { recursive: true })
})

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

function urlOf(user: string, password: string): string {
  const url = new URL(postgres.url)
  url.username = user
  url.password = password
  return url.href
}

const applyAsManager = () => applyRoles(urlOf('manager', 'manager'), [])

const attributes = () =>
  query(`select rolname, rolcanlogin as login, rolinherit as inherit,
                rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication as powerful
           from pg_roles where rolname like 'concord%' order by rolname`)

const wanted = [
  { rolname: 'concord_api', login: true, inherit: false, powerful: false },
  { rolname: 'concord_kernel', login: false, inherit: true, powerful: false },
  { rolname: 'concord_owner', login: true, inherit: true, powerful: false },
  { rolname: 'concord_registrar', login: false, inherit: true, powerful: false },
  { rolname: 'concord_worker', login: true, inherit: false, powerful: false },
]

it('makes roles and database without a superuser, and changes nothing when it runs again', async () => {
  await applyAsManager()
  await applyAsManager()
  expect(await attributes()).toEqual(wanted)
  expect(
    await query(`select pg_get_userbyid(datdba) as owner from pg_database where datname = 'concord'`),
  ).toEqual([{ owner: 'concord_owner' }])
})

it('takes from a role what it must not have, and refuses where only a superuser could', async () => {
  await query('alter role concord_api createdb inherit; alter role concord_kernel login')
  await applyAsManager()
  expect(await attributes()).toEqual(wanted)
  await query('alter role concord_worker bypassrls')
  await expect(applyAsManager()).rejects.toThrow(/superuser|permission denied to alter role/u)
  await applyRoles(postgres.url, [])
  expect(await attributes()).toEqual(wanted)
})
