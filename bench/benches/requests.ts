/** Measures the cost of safety: a read through credential, tenant transaction and schema, beside the bare statement. */
import { join } from 'node:path'
import { createDeployment, freePort, startChild, waitUntil } from '@concord/tools/launch'
import type { Child, Deployment } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import type { Bench, BenchRun } from '../src/bench.ts'
import { load } from '../src/load.ts'
import { describeLoad, median } from '../src/summary.ts'

const IN_FLIGHT = 64
const POOL_SIZE = 10
const SCOPE = 'measured'

interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export const requests: Bench = {
  name: 'requests',
  measures: `GET /api/scopes/{scopeId} beside bare node:http with the same statement, ${IN_FLIGHT} in flight`,
  async run(run) {
    const deployment = await createDeployment({
      services: run.services,
      name: `bench_requests_${process.pid}`,
    })
    const bare: Child[] = []
    try {
      const ours = await startOurs(deployment)
      const { child, target } = await startBare(run.services, deployment, ours.tenantId)
      bare.push(child)
      await compare(run, ours.target, target)
    } finally {
      await Promise.all(bare.map((child) => child.stop()))
      await deployment.remove()
    }
  },
}

/** Turn and turn about, so that what else the machine does falls on both. */
async function compare({ short, print }: BenchRun, ours: Target, bare: Target): Promise<void> {
  const seconds = short ? 2 : 5
  const rounds = short ? 2 : 5
  const rates: { ours: number; bare: number }[] = []
  await measure(ours, 1)
  await measure(bare, 1)
  for (let round = 1; round <= rounds; round += 1) {
    const bareResult = await measure(bare, seconds)
    const ourResult = await measure(ours, seconds)
    print(`round ${round} bare: ${describeLoad(bareResult)}`)
    print(`round ${round} ours: ${describeLoad(ourResult)}`)
    rates.push({ ours: ourResult.perSecond, bare: bareResult.perSecond })
  }
  const ratio = median(rates.map((rate) => rate.ours / rate.bare))
  print(`ratio to bare (median of ${rounds} rounds): ${ratio.toFixed(2)}`)
}

const measure = (target: Target, seconds: number) => load({ ...target, inFlight: IN_FLIGHT, seconds })

async function startOurs(deployment: Deployment): Promise<{ target: Target; tenantId: string }> {
  await deployment.migrate()
  const tenant = await deployment.concord<{ tenant_id: string; api_key: string }>(
    'tenants',
    'create',
    '--name',
    'B',
  )
  await deployment.concord('scopes', 'create', SCOPE, '--tenant', tenant.tenant_id)
  const api = await deployment.startApi({ DATABASE_POOL_SIZE: String(POOL_SIZE), LOG_LEVEL: 'warn' })
  const headers = { authorization: `Bearer ${tenant.api_key}` }
  return { target: { url: `${api.url}/api/scopes/${SCOPE}`, headers }, tenantId: tenant.tenant_id }
}

async function startBare(services: Services, deployment: Deployment, tenantId: string) {
  const port = await freePort()
  const child = startChild({
    command: process.execPath,
    args: [join(import.meta.dirname, '..', 'src', 'bare-server.ts'), String(port), String(POOL_SIZE)],
    env: { DATABASE_URL: services.postgres.url('superuser', deployment.databaseName) },
  })
  const target = { url: `http://127.0.0.1:${port}/${tenantId}/${SCOPE}`, headers: {} }
  await waitUntil(async () => (await fetch(target.url)).ok, { what: 'the bare server answering' })
  return { child, target }
}
