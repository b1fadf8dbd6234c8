/** Deployments that could let one tenant see another, each set up for real: the service must refuse to start on any. */
import { randomBytes } from 'node:crypto'
import {
  asSuperuser,
  createDatabase,
  deploymentEnv,
  dropDatabase,
  ensureTemplate,
  freePort,
  startChild,
  waitUntil,
} from '@concord/tools/launch'
import { join } from 'node:path'
import type { Services } from '@concord/tools/services'
import { inParallel } from '../../harness/in-parallel.ts'

interface UnsafeStart {
  readonly name: string
  /** Run as superuser in the database of this start, before the service. */
  readonly sql?: string
  /** The role that connects; the API's own where nothing is said. */
  readonly role?: 'superuser' | 'owner' | 'special'
  readonly env?: Readonly<Record<string, string>>
  /** Starts on an empty database instead of a migrated one. */
  readonly empty?: true
  /** What the refusal must say, so that an accident does not pass for a refusal. */
  readonly says: RegExp
}

/** `special` stands for a role that is made for one start and dropped after it. */
const UNSAFE_STARTS: readonly UnsafeStart[] = [
  { name: 'as a superuser', role: 'superuser', says: /is a superuser/ },
  { name: 'as the owner', role: 'owner', says: /owns tables/ },
  {
    name: 'as a role that bypasses row-level security',
    role: 'special',
    sql: 'alter role special bypassrls',
    says: /may bypass row-level security/,
  },
  {
    name: 'as a role that may become the owner',
    role: 'special',
    sql: 'grant concord_owner to special',
    says: /owns tables/,
  },
  { name: 'on an unmigrated database', empty: true, says: /has not run|schema_migrations/ },
  {
    name: 'with row-level security off on one table',
    sql: 'alter table scopes disable row level security',
    says: /scopes is not protected/,
  },
  {
    name: 'with row-level security not forced on one table',
    sql: 'alter table keys no force row level security',
    says: /keys is not protected/,
  },
  {
    name: 'with a new table that nobody protected',
    sql: 'create table notes (tenant_id uuid not null, note text)',
    says: /notes is not protected/,
  },
  {
    name: 'with a policy that lets everyone through',
    sql: 'create policy everyone on scopes to concord_api using (true)',
    says: /scopes\.everyone is not one/,
  },
  {
    name: 'with a policy that lets the kernel see content',
    sql: 'create policy kernel_reads on documents for select to concord_kernel using (true)',
    says: /documents\.kernel_reads/,
  },
  {
    name: 'with a policy for the kernel that holds for the API as well',
    sql: 'drop policy kernel_reads on scope_log; create policy kernel_reads on scope_log for select using (true)',
    says: /scope_log\.kernel_reads/,
  },
  {
    name: 'with row-level security off on the documents',
    sql: 'alter table document_versions disable row level security',
    says: /document_versions is not protected/,
  },
  {
    name: 'with a partition that can be read directly',
    sql: 'grant select on scopes_p00 to concord_api',
    says: /scopes_p00 can be reached directly/,
  },
  {
    name: "with a function that has its owner's rights",
    sql: `create function peek() returns bigint language sql security definer return (select count(*) from scopes)`,
    says: /function peek/,
  },
  {
    name: "with a view that has its owner's rights",
    sql: 'create view all_scopes as select * from scopes',
    says: /view all_scopes/,
  },
  {
    name: 'trusting a bare tenant id beyond loopback',
    env: { AUTH_MODE: 'insecure-tenant-id', HOST: '0.0.0.0' },
    says: /refused unless HOST is a loopback address/,
  },
  {
    name: 'trusting a bare tenant id in production',
    env: { AUTH_MODE: 'insecure-tenant-id', NODE_ENV: 'production' },
    says: /refused in production/,
  },
  {
    name: 'trusting a gateway without a secret',
    env: { AUTH_MODE: 'trusted-gateway' },
    says: /GATEWAY_SECRET is required/,
  },
]

export interface RefusalFindings {
  readonly starts: number
  readonly refused: number
  /** Each a sentence on a start that was not refused, or not for its reason. */
  readonly accepted: readonly string[]
}

const ENTRY = join(import.meta.dirname, '..', '..', '..', 'service', 'src', 'main', 'concord.ts')
/** A process that was refused and lingers would leave whoever started it waiting. */
const PATIENCE_MS = 20_000

/** `every` so many of them, beginning somewhere that the seed decides. */
export async function runUnsafeStarts(
  services: Services,
  env: Readonly<Record<string, string>>,
  { every, seed }: { readonly every: number; readonly seed: number },
): Promise<RefusalFindings> {
  const template = await ensureTemplate(services)
  const chosen = UNSAFE_STARTS.filter((_, at) => at % every === seed % every)
  const accepted: string[] = []
  await inParallel(chosen, 2, async (start, index) => {
    const name = `isolation_unsafe_${process.pid}_${index}`
    const fault = await withDatabase(services, name, start.empty ? undefined : template, () =>
      tryStart(services, name, { ...start, env: { ...env, ...start.env } }),
    )
    if (fault) accepted.push(`started ${start.name}: ${fault}`)
  })
  return { starts: chosen.length, refused: chosen.length - accepted.length, accepted }
}

async function withDatabase<Result>(
  services: Services,
  name: string,
  template: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  await createDatabase(services, { name, ...(template && { template }) })
  try {
    return await work()
  } finally {
    await dropDatabase(services, name)
  }
}

/** Undefined when the start was refused as it should be. */
async function tryStart(services: Services, name: string, start: UnsafeStart): Promise<string | undefined> {
  const special = `${name}_special`
  const password = randomBytes(16).toString('hex')
  const sql = (start.sql ?? '').replaceAll('special', special)
  if (start.role === 'special') await createRole(services, name, special, password)
  try {
    if (sql) await asSuperuser(services, (client) => client.query(sql), name)
    const env = {
      ...deploymentEnv(services, name),
      DATABASE_URL: addressOf(services, name, start, special, password),
    }
    return await startAndWatch({ ...env, ...start.env }, start.says)
  } finally {
    if (start.role === 'special') await dropRole(services, name, special)
  }
}

/** A refusal is an end with a status that is not 0, in reasonable time, for the reason that was planted. */
async function startAndWatch(env: Record<string, string>, says: RegExp): Promise<string | undefined> {
  const port = await freePort()
  const args = [ENTRY, 'api']
  const child = startChild({ command: process.execPath, args, env: { ...env, PORT: String(port) } })
  const serves = async () => (await fetch(`http://127.0.0.1:${port}/livez`)).ok
  const printed = () => `it printed:\n${child.output().slice(0, 400)}`
  try {
    const settled = async () => child.hasExited() || serves()
    await waitUntil(settled, { what: 'A start or an end', withinMs: PATIENCE_MS })
    if (!child.hasExited()) return 'it serves'
    const { code } = await child.exited
    if (code === 0) return 'it ended as if all were well'
    return says.test(child.output()) ? undefined : `it ended without saying ${says.source}; ${printed()}`
  } catch {
    return `after ${PATIENCE_MS} ms it neither serves nor has ended; ${printed()}`
  } finally {
    await child.stop()
  }
}

function addressOf(
  services: Services,
  name: string,
  { role }: UnsafeStart,
  special: string,
  password: string,
): string {
  const url = services.postgres.url(role === 'special' || !role ? 'api' : role, name)
  if (role !== 'special') return url
  const address = new URL(url)
  address.username = special
  address.password = password
  return address.toString()
}

async function createRole(
  services: Services,
  database: string,
  role: string,
  password: string,
): Promise<void> {
  await asSuperuser(services, async (client) => {
    await client.query(`create role ${role} login password '${password}'`)
    await client.query(`grant concord_api to ${role}`)
    await client.query(`grant connect on database ${database} to ${role}`)
  })
}

async function dropRole(services: Services, database: string, role: string): Promise<void> {
  await asSuperuser(services, async (client) => {
    await client.query(`revoke connect on database ${database} from ${role}`)
    await client.query(`drop role ${role}`)
  })
}
