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
import { send } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import type { ProofRun } from '../../harness/proof.ts'

type Env = Readonly<Record<string, string>>

interface UnsafeStart {
  readonly name: string
  /** Run as superuser in the database of this start, before the service. */
  readonly sql?: string
  /** The role that connects; the API's own where nothing is said. */
  readonly role?: 'superuser' | 'owner' | 'special'
  readonly env?: Env
  /** Starts on an empty database instead of a migrated one. */
  readonly empty?: true
  /** The text of the refusal, so that an accident does not pass for a refusal. */
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

const ENTRY = join(import.meta.dirname, '..', '..', '..', 'service', 'src', 'main', 'concord.ts')
/** A process that was refused and lingers would leave whoever started it waiting. */
const TIMEOUT_MS = 60_000

/** A short run tries every sixth of them, beginning somewhere that the seed decides. */
export async function proveRefusals(
  { services, figures, print, short, seed }: ProofRun,
  env: Env,
): Promise<void> {
  const template = await ensureTemplate(services)
  const every = short ? 6 : 1
  const chosen = UNSAFE_STARTS.filter((_, at) => at % every === seed % every)
  const accepted: string[] = []
  await inParallel(chosen, 2, async (start, index) => {
    const name = `isolation_unsafe_${process.pid}_${index}`
    await createDatabase(services, { name, ...(!start.empty && { template }) })
    try {
      const fault = await tryStart(services, name, { ...start, env: { ...env, ...start.env } })
      if (fault) accepted.push(`started ${start.name}: ${fault}`)
    } finally {
      await dropDatabase(services, name)
    }
  })
  figures.exactly('unsafe starts refused', chosen.length - accepted.length, chosen.length)
  for (const line of accepted) print(`  ${line}`)
}

/** Undefined when the start was refused as it should be. */
async function tryStart(services: Services, name: string, start: UnsafeStart): Promise<string | undefined> {
  const special = `${name}_special`
  const url = new URL(
    services.postgres.url(start.role === 'special' || !start.role ? 'api' : start.role, name),
  )
  const asRoot = (sql: string) => asSuperuser(services, (client) => client.query(sql), name)
  if (start.role === 'special') {
    url.username = special
    url.password = randomBytes(16).toString('hex')
    await asRoot(`create role ${special} login password '${url.password}'; grant concord_api to ${special};
                  grant connect on database ${name} to ${special}`)
  }
  try {
    if (start.sql) await asRoot(start.sql.replaceAll('special', special))
    const env = { ...deploymentEnv(services, name), DATABASE_URL: url.toString(), ...start.env }
    return await startAndWatch(env, start.says)
  } finally {
    if (start.role === 'special')
      await asRoot(`revoke connect on database ${name} from ${special}; drop role ${special}`)
  }
}

/** A refusal is an end with a status that is not 0, in reasonable time, for the reason that was planted. */
async function startAndWatch(env: Record<string, string>, says: RegExp): Promise<string | undefined> {
  const port = await freePort()
  const args = [ENTRY, 'api']
  const child = startChild({ command: process.execPath, args, env: { ...env, PORT: String(port) } })
  const serves = async () => (await send(`http://127.0.0.1:${port}`, { path: '/livez' })).status === 200
  const printed = () => `it printed:\n${child.output().slice(0, 400)}`
  try {
    const settled = async () => child.hasExited() || serves()
    await waitUntil(settled, { what: 'A start or an end', withinMs: TIMEOUT_MS })
    if (!child.hasExited()) return 'it serves'
    const { code } = await child.exited
    if (code === 0) return 'it ended as if all were well'
    return says.test(child.output()) ? undefined : `it ended without saying ${says.source}; ${printed()}`
  } catch {
    return `after ${TIMEOUT_MS} ms it neither serves nor has ended; ${printed()}`
  } finally {
    await child.stop()
  }
}
