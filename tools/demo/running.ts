/** The service of `npm run dev`, if it is running: the demo uses it as it is. */
import type { DevProfile } from '../dev/profile.ts'
import { waitUntil } from '../launch/index.ts'

export interface RunningService {
  readonly url: string
  /** The reader of the service that runs there. */
  readonly reader: 'model' | 'rules'
}

interface Health {
  readonly probes: readonly { readonly name: string }[]
  readonly workers: readonly { readonly role: string; readonly alive: boolean }[]
}

/** By a key that only this service knows, because any program may answer at its port. */
export async function findRunning(url: string, { keys }: DevProfile): Promise<RunningService | undefined> {
  if (!keys || !(await readHealth(url, keys.internalsKey))) return undefined
  // A worker tells what it reads with in its heartbeat, some seconds after its start.
  const health = await waitUntil(() => readHealthOfWorkers(url, keys.internalsKey), {
    what: `a worker at ${url}`,
    withinMs: 30_000,
  })
  return { url, reader: health.probes.some(({ name }) => name === 'model') ? 'model' : 'rules' }
}

async function readHealthOfWorkers(url: string, key: string): Promise<Health | undefined> {
  const health = await readHealth(url, key)
  return health?.workers.some(({ role, alive }) => role === 'worker' && alive) ? health : undefined
}

/** Whatever is not well is 503 with the same body. */
async function readHealth(url: string, key: string): Promise<Health | undefined> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/internals/kernel/health`, { headers }).catch(() => undefined)
  if (answer?.status !== 200 && answer?.status !== 503) return undefined
  const health = (await answer.json().catch(() => undefined)) as Health | undefined
  return Array.isArray(health?.probes) && Array.isArray(health.workers) ? health : undefined
}
