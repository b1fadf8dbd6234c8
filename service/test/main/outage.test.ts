/** Postgres and NATS are stopped one after the other, and health still says which of them is away, everywhere the same. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createDatabase, freePort, waitUntil } from '@concord/tools/launch'
import {
  ensureServices,
  resetServices,
  startPrivateNats,
  startPrivatePostgres,
} from '@concord/tools/services'
import type { PrivateNats, PrivatePostgres } from '@concord/tools/services'
import { installFunctions, readFunctions } from '../../src/store/schema/functions.ts'
import { migrate, readMigrations } from '../../src/store/schema/migrations.ts'
import { openPools } from '../../src/store/pools.ts'
import { bearer, callApi } from '../support/api.ts'
import type { ApiAnswer } from '../support/api.ts'
import { withAnotherSecret } from '../support/forged-key.ts'
import { silentLog } from '../support/log.ts'
import { scrape, total } from '../support/metrics.ts'
import { makeRootKey, makeTenant } from '../support/people.ts'
import { processEnv, runConcord, startApiProcess } from '../support/process.ts'
import type { ApiProcess, ProcessEnv } from '../support/process.ts'

// Servers are set up from nothing first.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const name = 'outage'
/** A request has 5 s; the rest is for a busy machine. */
const WITHIN_MS = 7_000

let stateDir: string
let databaseUrl: string
let postgres: PrivatePostgres
let nats: PrivateNats
let env: ProcessEnv
let api: ApiProcess
const keys = { internals: '', admin: '', revoked: '', tenant: '' }

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'concord-outage-'))
  const services = await ensureServices({ stateDir })
  postgres = await startPrivatePostgres({ dir: services.postgres.home, choice: services.postgres.binDir })
  nats = await startPrivateNats({ dir: stateDir, serverPath: services.nats.serverPath })
  await createDatabase(services, { name })
  await migrate(services.postgres.url('owner', name), await readMigrations())
  await installFunctions(services.postgres.url('owner', name), await readFunctions())
  databaseUrl = services.postgres.url('api', name)
  const pools = openPools({ url: databaseUrl, size: 1, log: silentLog })
  keys.internals = (await makeRootKey(pools, 'internals')).key
  keys.admin = (await makeRootKey(pools, 'admin')).key
  const revoked = await makeRootKey(pools, 'internals')
  await pools.registry.query('update keys set revoked_at = now() where key_id = $1', [
    revoked.key.split('_')[2]?.slice(0, 10),
  ])
  keys.revoked = revoked.key
  keys.tenant = (await makeTenant(pools)).key
  await pools.close()
  env = { ...processEnv({ services, name }), METRICS_PORT: String(await freePort()) }
  api = await startApiProcess(env)
})
afterAll(async () => {
  postgres?.kill('SIGCONT')
  nats?.kill('SIGCONT')
  await api?.stop()
  await resetServices({ stateDir })
  await rm(stateDir, { recursive: true, force: true })
})

const ask = (path: string, key = keys.internals) =>
  callApi(`${api.url}${path}`, { headers: bearer(key), signal: AbortSignal.timeout(WITHIN_MS) })

const probeIn = ({ body }: ApiAnswer, part: string) =>
  (body['probes'] as { readonly name: string; readonly ok: boolean; readonly detail: string | null }[]).find(
    (each) => each.name === part,
  )

const KERNEL = '/internals/kernel/health'
const CONTROL_PLANE = ['/internals/kernel/control-plane/health', '/internals/control-plane/health']
const WITH_PROBES = [KERNEL, ...CONTROL_PLANE, '/admin/control-plane/health']

const untilProbe = (part: string, ok: boolean) =>
  waitUntil(async () => probeIn(await ask(KERNEL), part)?.ok === ok, {
    what: `the probe ${part} being ${ok}`,
    withinMs: 30_000,
  })

it.each(['SIGSTOP', 'SIGKILL'] as const)('names Postgres that got %s, with every probe', async (signal) => {
  await untilProbe('database', true)
  const frozen = signal === 'SIGSTOP' ? await backends() : []
  postgres.kill(signal)
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  try {
    await untilProbe('database', false)
    const answers = await Promise.all(WITH_PROBES.map((path) => ask(path)))
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(answer.body).toMatchObject({ status: 'unavailable', runtime: { service: 'running' } })
      expect(probeIn(answer, 'database')).toMatchObject({
        ok: false,
        detail: expect.stringContaining('Postgres does not answer'),
      })
      expect(probeIn(answer, 'broker')).toMatchObject({ ok: true, detail: null })
    }
    const ofTier = await waitUntil(
      async () => {
        const answer = await ask('/admin/health', keys.admin)
        return answer.status === 503 && answer
      },
      { what: 'readiness noticing it', withinMs: 15_000 },
    )
    expect(ofTier.body).toMatchObject({ status: 'unavailable', tier: 'admin', authTier: 'admin' })
    expect((await ask('/admin/control-plane/health', keys.admin)).body).toMatchObject({
      status: 'unavailable',
    })
    // It is for the database to refuse a key; until then nobody is let in by one that was not live.
    const others = [keys.revoked, withAnotherSecret(keys.internals), keys.admin, keys.tenant]
    for (const key of others) expect((await ask(KERNEL, key)).body).toMatchObject({ code: 'unavailable' })
    expect((await ask('/admin/tenants', keys.admin)).body).toMatchObject({ code: 'unavailable' })
  } finally {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    postgres.kill('SIGCONT')
    if (signal === 'SIGKILL') await postgres.restart()
  }
  await untilProbe('database', true)
  expect((await ask(KERNEL, keys.revoked)).body).toMatchObject({ code: 'credential_revoked' })
})

it.each(['SIGSTOP', 'SIGKILL'] as const)('reports everywhere that NATS got %s', async (signal) => {
  await untilProbe('broker', true)
  nats.kill(signal)
  try {
    await untilProbe('broker', false)
    await waitUntil(async () => (await brokerChecks()).every((ok) => !ok), {
      what: 'all routes saying so',
      withinMs: 15_000,
    })
    const { stdout } = await runConcord(env, 'doctor', '--json')
    const { checks } = JSON.parse(stdout) as { checks: { name: string; verdict: string }[] }
    expect(checks.find(({ name: check }) => check === 'nats')).toMatchObject({ verdict: 'fail' })
    expect(checks.filter(({ name: check }) => check === 'processes')).toEqual([])
  } finally {
    nats.kill('SIGCONT')
    if (signal === 'SIGKILL') await nats.restart()
  }
  await waitUntil(async () => (await brokerChecks()).every((ok) => ok), {
    what: 'all routes saying that it is back',
    withinMs: 30_000,
  })
})

/** The processes that serve connections: without these a server that is stopped still answers on the connections that it has. */
async function backends(): Promise<number[]> {
  const pools = openPools({ url: databaseUrl, size: 1, log: silentLog })
  const { rows } = await pools.tenant.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'concord'`,
  )
  await pools.close()
  return rows.map(({ pid }) => pid)
}

/** The statement of each place about the broker at this moment. */
async function brokerChecks(): Promise<boolean[]> {
  const readiness = await ask('/readyz')
  const checks = readiness.body['checks'] as { readonly name: string; readonly ok: boolean }[]
  const [, address = ''] = /"address":"(http:[^"]+\/metrics)"/.exec(api.output()) ?? []
  const shown = total(await scrape(address), 'concord_check_ok', { check: 'broker' })
  const probes = await Promise.all(WITH_PROBES.map(async (path) => probeIn(await ask(path), 'broker')?.ok))
  const tiers = await Promise.all(
    ['/api/health', '/admin/health', '/internals/health'].map(
      async (path) => (await ask(path)).body['status'],
    ),
  )
  return [
    checks.find(({ name: check }) => check === 'broker')?.ok === true,
    shown === 1,
    ...probes.map((ok) => ok === true),
    ...tiers.map((status) => status === 'ok'),
  ]
}
