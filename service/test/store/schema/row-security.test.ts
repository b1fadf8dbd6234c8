/** Tests the guarantees of Postgres for each role, should a statement of ours ever forget its tenant. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { makeRootKey, makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole, FORBIDDEN, stateOf } from '../../support/sessions.ts'
import type { SessionRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
let acme: TestTenant
let borealis: TestTenant

beforeAll(async () => {
  acme = await makeTenant(pools(), 'Acme')
  borealis = await makeTenant(pools(), 'Borealis')
  // Equal ids on purpose: a scope is named within its tenant.
  for (const tenant of [acme, borealis]) await makeScope(pools(), tenant, 'default')
  await makeRootKey(pools(), 'admin')
})

const TABLES = ['tenants', 'keys', 'scopes', 'scope_keys']
const NOTHING = { tenants: 0, keys: 0, scopes: 0, scope_keys: 0 }

const countIn = async (client: pg.Client, table: string) =>
  (await client.query<{ found: number }>(`select count(*)::int as found from ${table}`)).rows[0]?.found

async function countAll(client: pg.Client): Promise<Record<string, number | undefined>> {
  const counts: Record<string, number | undefined> = {}
  for (const table of TABLES) counts[table] = await countIn(client, table)
  return counts
}

async function asTenant<Result>(
  role: SessionRole,
  tenantId: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return asRole(database(), role, async (client) => {
    await client.query('begin')
    await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
    return work(client)
  })
}

/** Each attempt in a session of its own, since a refused statement ends its transaction. */
const attempt = (role: SessionRole, statement: string, values: unknown[] = []) =>
  stateOf(asRole(database(), role, (client) => client.query(statement, values)))

const attemptAs = (tenant: TestTenant, statement: string, values: unknown[] = []) =>
  stateOf(asTenant('api', tenant.tenantId, (client) => client.query(statement, values)))

describe('concord_api without a tenant', () => {
  it('sees no row of any table of tenants', async () => {
    expect(await asRole(database(), 'api', countAll)).toEqual(NOTHING)
  })

  it('changes no row', async () => {
    await asRole(database(), 'api', async (client) => {
      expect((await client.query(`update tenants set name = 'mine'`)).rowCount).toBe(0)
      expect((await client.query('update keys set revoked_at = now()')).rowCount).toBe(0)
    })
  })

  it('adds no row', async () => {
    const insert = `insert into scopes (tenant_id, scope_id, created_by) values ($1, 'planted', 'x')`
    expect(await attempt('api', insert, [acme.tenantId])).toBe(FORBIDDEN)
  })
})

describe('concord_api in the transaction of a tenant', () => {
  it('sees the rows of that tenant alone, although no statement asks for it', async () => {
    await asTenant('api', acme.tenantId, async (client) => {
      for (const table of TABLES) {
        const { rows } = await client.query<{ tenant_id: string }>(`select tenant_id from ${table}`)
        expect([table, rows]).toEqual([table, [{ tenant_id: acme.tenantId }]])
      }
    })
  })

  it('sees nothing of a tenant that does not exist', async () => {
    expect(await asTenant('api', randomUUID(), countAll)).toEqual(NOTHING)
  })

  it.each([
    ['a scope', `insert into scopes (tenant_id, scope_id, created_by) values ($1, 'planted', 'x')`],
    [
      'a data key',
      `insert into scope_keys (tenant_id, scope_id, epoch, master_key_id, wrapped_key)
       values ($1, 'default', 7, 'mk1', '\\x00')`,
    ],
    [
      'a key',
      `insert into keys (key_id, tier, tenant_id, digest, created_by)
       values ('planted000', 'tenant', $1, decode(repeat('00', 32), 'hex'), 'x')`,
    ],
    ['a tenant', `insert into tenants (tenant_id, name) values ($1, 'planted')`],
  ])('cannot add %s for another tenant', async (_, insert) => {
    expect(await attemptAs(acme, insert, [borealis.tenantId])).toBe(FORBIDDEN)
  })

  it('cannot make itself an admin key', async () => {
    const insert = `insert into keys (key_id, tier, tenant_id, digest, created_by)
       values ('planted001', 'admin', null, decode(repeat('00', 32), 'hex'), 'x')`
    expect(await attemptAs(acme, insert)).toBe(FORBIDDEN)
  })

  it('changes no row of another tenant, even one it can name', async () => {
    await asTenant('api', acme.tenantId, async (client) => {
      const revoked = await client.query('update keys set revoked_at = now() where key_id = $1', [
        borealis.keyId,
      ])
      expect(revoked.rowCount).toBe(0)
    })
  })

  it('gets no rows of a scope of another tenant, as of one that does not exist', async () => {
    await asTenant('api', acme.tenantId, async (client) => {
      const insert = `insert into scopes (tenant_id, scope_id, created_by) values ($1, $2, 'x') on conflict do nothing`
      expect((await client.query(insert, [acme.tenantId, 'borealis-only'])).rowCount).toBe(1)
    })
  })

  it.each(['select digest from keys', 'select * from keys', "select encode(digest, 'hex') from keys"])(
    'cannot read a digest back: %s',
    async (statement) => {
      expect(await attemptAs(acme, statement)).toBe(FORBIDDEN)
    },
  )

  it.each([
    'update keys set digest = $1::bytea',
    'delete from keys where $1::bytea is not null',
    'update scope_keys set wrapped_key = $1::bytea',
    'update scopes set created_by = $1::bytea::text',
    'delete from kernel_log where $1::bytea is not null',
  ])('may not do what it never needs: %s', async (statement) => {
    expect(await attemptAs(acme, statement, [Buffer.alloc(32)])).toBe(FORBIDDEN)
  })
})

describe('partitions', () => {
  it('exist for the tables that grow, sixteen each', async () => {
    const { rows } = await asRole(database(), 'owner', (client) =>
      client.query<{ parent: string; parts: number }>(
        `select inhparent::regclass::text as parent, count(*)::int as parts
           from pg_inherits join pg_class on oid = inhparent where relkind = 'p' group by 1`,
      ),
    )
    expect(rows.map(({ parent }) => parent)).toEqual(expect.arrayContaining(['scopes', 'scope_keys']))
    expect(new Set(rows.map(({ parts }) => parts))).toEqual(new Set([16]))
  })

  it.each(['api', 'worker', 'registrar'] as const)(
    'cannot be reached by %s past their parent',
    async (role) => {
      const { rows } = await asRole(database(), 'owner', (client) =>
        client.query<{ name: string }>(
          `select relname as name from pg_class where relispartition and relkind = 'r'`,
        ),
      )
      expect(rows.length).toBeGreaterThanOrEqual(32)
      const states = await asRole(database(), role, async (client) => {
        const each: (string | undefined)[] = []
        for (const { name } of rows) each.push(await stateOf(client.query(`select from ${name}`)))
        return each
      })
      expect(new Set(states)).toEqual(new Set([FORBIDDEN]))
    },
  )
})

describe('the registrar', () => {
  it('finds every key and names every tenant', async () => {
    await asRole(database(), 'registrar', async (client) => {
      expect(await countIn(client, 'keys')).toBe(3)
      expect(await countIn(client, 'tenants')).toBe(2)
    })
  })

  it.each(['scopes', 'scope_keys'])('cannot read %s', async (table) => {
    expect(await attempt('registrar', `select from ${table}`)).toBe(FORBIDDEN)
  })

  it.each([
    [
      'issue a key to a tenant',
      `insert into keys (key_id, tier, tenant_id, digest, created_by)
        select 'planted002', 'tenant', tenant_id, decode(repeat('00', 32), 'hex'), 'x' from tenants limit 1`,
    ],
    ['give a key to another tenant', 'update keys set tenant_id = gen_random_uuid()'],
    ['exchange a digest', `update keys set digest = decode(repeat('00', 32), 'hex')`],
    ['raise the tier of a key', `update keys set tier = 'internals'`],
    ['delete a key', 'delete from keys'],
    ['rename a tenant', `update tenants set name = 'mine'`],
    ['add a tenant', `insert into tenants values (gen_random_uuid(), 'x')`],
  ])('cannot %s', async (_, statement) => {
    expect(await attempt('registrar', statement)).toBe(FORBIDDEN)
  })

  it('has rights that concord_api has only after stepping into it', async () => {
    expect(await attempt('api', 'select digest from keys')).toBe(FORBIDDEN)
    expect(await attempt('api', 'set role concord_registrar; select digest from keys')).toBeUndefined()
    expect(await attempt('worker', 'set role concord_registrar')).toBe(FORBIDDEN)
  })
})

describe('concord_worker', () => {
  it('sees scopes of the tenant of its transaction, and no key or tenant at all', async () => {
    await asTenant('worker', acme.tenantId, async (client) => {
      expect(await countIn(client, 'scopes')).toBe(1)
      expect(await countIn(client, 'scope_keys')).toBe(1)
    })
    for (const table of ['keys', 'tenants', 'gateway_nonces'])
      expect([table, await attempt('worker', `select from ${table}`)]).toEqual([table, FORBIDDEN])
  })
})

describe('the owner', () => {
  it('is bound by the policies too, so that a migration exposes nothing by accident', async () => {
    expect(await asRole(database(), 'owner', countAll)).toEqual(NOTHING)
  })
})

describe('every role of the service', () => {
  it.each(['api', 'worker', 'registrar'] as const)('%s cannot change the schema', async (role) => {
    expect(await attempt(role, 'create table mine ()')).toBe(FORBIDDEN)
    expect(await attempt(role, 'alter table scopes disable row level security')).toBe(FORBIDDEN)
    expect(await attempt(role, 'drop policy tenant_rows on scopes')).toBe(FORBIDDEN)
  })
})
