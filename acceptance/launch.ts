/**
 * A deployment that belongs to one run of the suite: two API processes on a database of its own, and behind them one
 * dispatcher and one worker, so that what is queued is also read.
 */
import { createDeployment } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import { ensureServices } from '@concord/tools/services'
import { exchange } from './http/exchange.ts'
import type { AcceptanceTarget } from './target.ts'

export interface LaunchedTarget {
  readonly target: AcceptanceTarget
  readonly remove: () => Promise<void>
}

interface IssuedKey {
  readonly key_id: string
  readonly api_key: string
}

/** Low enough to be met within a test, high enough for the calls that it takes. */
const LOW_LIMITS = {
  RATE_REQUESTS_PER_SECOND: '2',
  RATE_BYTES_PER_SECOND: '2000',
  RATE_BURST_SECONDS: '5',
  LIMIT_STREAMS: '2',
  LIMIT_QUEUED_DOCUMENTS: '3',
  AUTH_FAILURES_PER_SECOND: '1',
  AUTH_FAILURES_BURST: '5',
}

export async function launchTarget(): Promise<LaunchedTarget> {
  const services = await ensureServices({ report: console.log })
  const deployment = await createDeployment({ services, name: `acceptance_${process.pid}` })
  try {
    await deployment.migrate()
    const urls = (await Promise.all([deployment.startApi(), deployment.startApi()])).map((api) => api.url)
    // In this order: only before the first key can it be seen what a service without any answers.
    const unclaimed = await askUnclaimed(urls[0] ?? '')
    const { url: limited } = await deployment.startApi(LOW_LIMITS)
    const target = { urls, limited, unclaimed, ...(await createKeys(deployment)) }
    // Not all at once: on a busy machine the start of one makes the others wait for the database too long.
    await Promise.all([deployment.startKernel('dispatcher'), deployment.startKernel('worker')])
    return { target, remove: () => deployment.remove() }
  } catch (error) {
    await deployment.remove()
    throw error
  }
}

async function askUnclaimed(url: string): Promise<NonNullable<AcceptanceTarget['unclaimed']>> {
  const ask = (path: string) => exchange(url, { method: 'GET', path, headers: {} })
  return { admin: await ask('/admin/health'), internals: await ask('/internals/health') }
}

async function createKeys(deployment: Deployment): Promise<Omit<AcceptanceTarget, 'urls'>> {
  const create = (tier: string) => deployment.concord<IssuedKey>('keys', 'create', '--tier', tier)
  const [admin, expired, revoked] = await Promise.all([
    create('admin'),
    create('internals'),
    create('internals'),
  ])
  const [internals] = await Promise.all([
    // No overlap: the old key is expired from that moment on.
    deployment.concord<IssuedKey>('keys', 'rotate', expired.key_id, '--overlap', '0'),
    deployment.concord('keys', 'revoke', revoked.key_id),
  ])
  return {
    adminKey: admin.api_key,
    internalsKey: internals.api_key,
    dead: { expired: expired.api_key, revoked: revoked.api_key },
  }
}
