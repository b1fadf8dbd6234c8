import { describe, expect, it } from 'vitest'
import { createDatabase, dropDatabase } from '@concord/tools/launch'
import { describeUndurable } from '../../../src/domain/checkup.ts'
import { readFunctions } from '../../../src/store/schema/functions.ts'
import type { FunctionFile } from '../../../src/store/schema/functions.ts'
import { readMigrations } from '../../../src/store/schema/migrations.ts'
import { openPools } from '../../../src/store/pools.ts'
import { findSchemaMismatch, findUnsafeSettings } from '../../../src/store/schema/self-check.ts'
import { selectServerFacts } from '../../../src/store/server-facts.ts'
import { useDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { usePools } from '../../support/pools.ts'
import { processEnv, runConcord } from '../../support/process.ts'
import { asRole, withLogin } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)

const readRelease = async () => ({ migrations: await readMigrations(), functions: await readFunctions() })

const check = async () => findUnsafeSettings(pools().tenant, await readRelease())

/** The findings while the owner's change holds; the change is undone afterwards. */
async function findingsAfter(change: string, undo: string): Promise<string[]> {
  await asRole(database(), 'owner', (client) => client.query(change))
  try {
    return await check()
  } finally {
    await asRole(database(), 'owner', (client) => client.query(undo))
  }
}

async function findingsAs(url: string): Promise<string[]> {
  const own = openPools({ url, size: 4, log: silentLog })
  try {
    return await findUnsafeSettings(own.tenant, await readRelease())
  } finally {
    await own.close()
  }
}

describe('the durability of the server', () => {
  it('is found wanting by each setting that is off, as in the Postgres of the tests', async () => {
    const found = describeUndurable(await selectServerFacts(pools().tenant))
    expect(found.map((each) => each.split(' ')[0])).toEqual([
      'fsync',
      'full_page_writes',
      'synchronous_commit',
    ])
  })

  it('prevents a process from starting, unless the check is off', async () => {
    const env = { ...processEnv(database()), DATABASE_DURABILITY: 'required' }
    const { code, output } = await runConcord(env, 'dispatcher')
    expect(code).not.toBe(0)
    expect(output).toContain('It is not safe to serve')
    expect(output).toContain('synchronous_commit is off')
  }, 60_000)
})

describe('the self-check', () => {
  it('finds nothing in a migrated database that is reached as concord_api', async () => {
    expect(await check()).toEqual([])
  })

  it('finds a function that was never installed, and is content with one of another release', async () => {
    const { migrations, functions } = await readRelease()
    const [first] = functions
    if (!first) throw new Error('there are functions')
    const find = (others: readonly FunctionFile[]) =>
      findUnsafeSettings(pools().tenant, { migrations, functions: [...functions, ...others] })
    expect(await find([{ ...first, checksum: 'of another release' }])).toEqual([])
    expect(await find([{ ...first, name: 'unheard_of' }])).toEqual([
      'function unheard_of has not been installed; run concord migrate',
    ])
  })

  it('finds nothing when it is reached as concord_worker', async () => {
    expect(await findingsAs(database().url('worker'))).toEqual([])
  })

  it.each([
    [
      'a table of tenants without row-level security',
      'create table loose (tenant_id uuid)',
      'drop table loose',
      /^table loose is not protected/,
    ],
    [
      'a table whose row-level security its owner escapes',
      'alter table scopes no force row level security',
      'alter table scopes force row level security',
      /^table scopes is not protected/,
    ],
    [
      'a table whose row-level security was switched off',
      'alter table keys disable row level security',
      'alter table keys enable row level security',
      /^table keys is not protected/,
    ],
    [
      'a policy that lets everyone read',
      'create policy open_read on scopes for select using (true)',
      'drop policy open_read on scopes',
      /^policy scopes.open_read is not one/,
    ],
    [
      'a policy that lets everyone write',
      'create policy open_write on scopes for insert to concord_api with check (true)',
      'drop policy open_write on scopes',
      /^policy scopes.open_write is not one/,
    ],
    [
      'a partition that can be read directly',
      'grant select on scopes_p03 to concord_api',
      'revoke select on scopes_p03 from concord_api',
      /^partition scopes_p03 can be reached directly/,
    ],
    [
      'a partition that can be written directly',
      'grant delete on scope_keys_p00 to public',
      'revoke delete on scope_keys_p00 from public',
      /^partition scope_keys_p00 can be reached directly/,
    ],
    [
      'a partition of which one column can be read directly',
      'grant select (scope_id) on scopes_p04 to concord_api',
      'revoke select (scope_id) on scopes_p04 from concord_api',
      /^partition scopes_p04 can be reached directly/,
    ],
    [
      'a partition that the registrar can reach, whose hat the service wears',
      'grant select on scopes_p05 to concord_registrar',
      'revoke select on scopes_p05 from concord_registrar',
      /^partition scopes_p05 can be reached directly/,
    ],
    [
      'a policy that shows content to the registrar',
      `create policy registrar_reads on scopes for select to concord_registrar using (true);
       grant select on scopes to concord_registrar`,
      'drop policy registrar_reads on scopes; revoke select on scopes from concord_registrar',
      /registrar.*scopes|scopes.*registrar/,
    ],
    [
      'a partition of the backlog that the kernel can reach, whose hat the service wears',
      'grant select on work_p07 to concord_kernel',
      'revoke select on work_p07 from concord_kernel',
      /^partition work_p07 can be reached directly/,
    ],
    [
      'a policy that shows content to the kernel',
      'create policy kernel_reads on readings for select to concord_kernel using (true)',
      'drop policy kernel_reads on readings',
      /^policy readings.kernel_reads is not one/,
    ],
    [
      'a policy of the kernel that was widened to the API',
      'alter policy kernel_reads on work to concord_kernel, concord_api',
      'alter policy kernel_reads on work to concord_kernel',
      /^policy work.kernel_reads is not one/,
    ],
    [
      'a policy that is wide without saying so',
      'create policy wide on scopes to concord_api using (tenant_id is not null)',
      'drop policy wide on scopes',
      /^policy scopes.wide is not one/,
    ],
    [
      'a table of tenants in another schema',
      'create schema elsewhere create table strays (tenant_id uuid)',
      'drop schema elsewhere cascade',
      /^table elsewhere.strays is not protected/,
    ],
    [
      "a function with its owner's rights",
      `create function peek() returns bigint language sql security definer return (select count(*) from scopes)`,
      'drop function peek()',
      /^function peek runs with its owner's rights/,
    ],
    [
      "a view with its owner's rights",
      'create view every_scope as select * from scopes',
      'drop view every_scope',
      /^view every_scope runs with its owner's rights/,
    ],
    [
      'a materialised view, which has no row-level security',
      'create materialized view kept as select * from scopes',
      'drop materialized view kept',
      /^view kept runs with its owner's rights/,
    ],
  ])('finds %s, and nothing else', async (_, change, undo, sentence) => {
    expect(await findingsAfter(change, undo)).toEqual([expect.stringMatching(sentence)])
  })

  it("accepts a view that runs with its caller's rights", async () => {
    const change = 'create view own_scopes with (security_invoker = true) as select * from scopes'
    expect(await findingsAfter(change, 'drop view own_scopes')).toEqual([])
  })

  it('finds a superuser', async () => {
    const findings = await findingsAs(database().url('superuser'))
    expect(findings).toContainEqual(expect.stringMatching(/^role \S+ is a superuser; connect as concord_api/))
  })

  it('finds the owner of the tables', async () => {
    expect(await findingsAs(database().url('owner'))).toContainEqual(
      expect.stringMatching(/^role concord_owner owns tables; connect as concord_api/),
    )
  })

  it('finds a role that may bypass row-level security', async () => {
    await withLogin(database(), 'bypassrls', async ({ name, url }) => {
      expect(await findingsAs(url)).toEqual([
        expect.stringContaining(`role ${name} may bypass row-level security`),
      ])
    })
  })

  it('finds a role that could become one that bypasses row-level security', async () => {
    await withLogin(database(), 'bypassrls', async (strong) => {
      await withLogin(database(), `noinherit in role ${strong.name}`, async ({ url }) => {
        expect(await findingsAs(url)).toEqual([
          expect.stringContaining(`role ${strong.name} may bypass row-level security`),
        ])
      })
    })
  })

  it('states what to run when the database has never been migrated', async () => {
    const name = `${database().name}_empty`
    await createDatabase(database().services, { name })
    try {
      const findings = await findingsAs(database().services.postgres.url('api', name)).catch(String)
      expect(String(findings)).toContain('run concord migrate')
    } finally {
      await dropDatabase(database().services, name)
    }
  })
})

describe('the schema', () => {
  const row = (version: number, breaking = false) => ({
    version,
    name: `m${version}`,
    checksum: '',
    breaking,
  })
  const known = [1, 2].map((version) => ({ ...row(version), sql: '' }))

  it('fits when every known migration has run', () => {
    expect(findSchemaMismatch([row(1), row(2)], known)).toEqual([])
  })

  it('does not fit while a migration is missing, and the message states what to run', () => {
    expect(findSchemaMismatch([row(1)], known)).toEqual(['migration 2 (m2) has not run; run concord migrate'])
  })

  it('fits when a newer release has added something that is not breaking', () => {
    expect(findSchemaMismatch([row(1), row(2), row(3)], known)).toEqual([])
  })

  it('does not fit after a breaking migration of a newer release, and the message states what to deploy', () => {
    expect(findSchemaMismatch([row(1), row(2), row(3, true)], known)).toEqual([
      expect.stringMatching(/migration 3 \(m3\), which this release cannot use; deploy the newer release/),
    ])
  })

  it('is judged by the migrations that the database has recorded', async () => {
    const findings = await findingsAfter(
      `insert into schema_migrations values (9999, 'from_the_future', '', true)`,
      'delete from schema_migrations where version = 9999',
    )
    expect(findings).toEqual([expect.stringContaining('9999 (from_the_future)')])
  })
})
