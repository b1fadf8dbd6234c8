/**
 * Clients that ask once and take the answer for what it is: documents are sent and read over connections that are kept
 * open, and whatever is not answered as it should be has failed. Nothing is tried again.
 */
import { readOutcomes, requestOf } from '../../harness/ingest-wire.ts'
import { pause, repeat } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { pick } from '../../harness/statistics.ts'
import type { Balancer } from './balancer.ts'

export interface ClientsOptions extends Pick<FaultStage, 'history' | 'places' | 'random'> {
  readonly balancer: Balancer
  readonly clients: number
  /** Requests a second of all of them together, at the most. */
  readonly rate: number
  /** Whether the service has as much waiting as it should; they only read then. */
  readonly isFull: () => boolean
}

export type Clients = ReturnType<typeof startClients>

/** The others read. */
const SHARE_OF_WRITERS = 0.4

export function startClients(options: ClientsOptions) {
  const { balancer, history, places, random } = options
  const tally = { requests: 0, written: 0, failed: [] as string[] }
  const pauseMs = (1000 * options.clients) / options.rate

  async function write(place: Place): Promise<void> {
    const call = history.open(place)
    const at = Date.now()
    tally.written += 1
    const answer = await balancer
      .send((url) => requestOf(url, [call]))
      .catch((error: unknown) => {
        history.record(call, { at, ms: Date.now() - at, outcome: 'unknown', what: 'no answer' })
        throw error
      })
    const { outcome = 'unknown', what = 'no result', accepted } = readOutcomes(answer, 1)[0] ?? {}
    history.record(call, { at, ms: Date.now() - at, outcome, what }, accepted)
    if (outcome !== 'ok') throw new Error(`POST /api/ingest answered ${what}`)
  }

  async function read(place: Place): Promise<void> {
    const scope = `/api/scopes/${place.scopeId}`
    // Not the health: that it turns red is how a process says goodbye.
    const paths = [`${scope}/documents?limit=10`, scope, '/api/scopes']
    const path = pick(paths, random) ?? scope
    const { status } = await balancer.send({ path, bearer: place.tenantKey })
    if (status !== 200) throw new Error(`GET ${path} answered ${status}`)
  }

  async function askOnce(place: Place): Promise<void> {
    tally.requests += 1
    const wanted = random() < SHARE_OF_WRITERS && !options.isFull() ? write : read
    await wanted(place).catch((error: unknown) => {
      const words = error instanceof Error ? error.message : String(error)
      tally.failed.push(`${new Date().toISOString()} ${wanted.name}: ${words}`)
    })
  }

  async function client(signal: AbortSignal): Promise<void> {
    const next = performance.now() + 2 * pauseMs * random()
    await askOnce(pick(places, random))
    await pause(next - performance.now(), signal)
  }

  const { stop } = repeat(client, { workers: options.clients })
  return {
    tally,
    /** Resolves when each has its last answer. */
    finish: stop,
  }
}
