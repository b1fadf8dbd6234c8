/** Whoever looks on while a volume is full: one asks for the health of the kernel, one keeps Postgres running. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Fleet } from '../../harness/fleet.ts'
import type { Servers } from '../../harness/servers.ts'
import type { HealthLook } from './verdict.ts'

export interface HealthWatch {
  readonly looks: readonly HealthLook[]
  stop(): Promise<void>
}

const LOOK_MS = 250
const ANSWER_MS = 8_000

/** Asks one API after the other. */
export function watchHealth({ urls }: Pick<Fleet, 'urls'>, internalsKey: string): HealthWatch {
  const looks: HealthLook[] = []
  const stopping = new AbortController()

  async function keepLooking(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const known = urls()
      const url = known[turn % known.length]
      const at = Date.now()
      if (url !== undefined) {
        const look = await lookOnce(url, internalsKey)
        looks.push({ at, ms: Date.now() - at, ...look })
      }
      await delay(LOOK_MS)
    }
  }

  const looking = keepLooking()
  return {
    looks,
    async stop() {
      stopping.abort()
      await looking
    },
  }
}

async function lookOnce(url: string, key: string): Promise<Omit<HealthLook, 'at' | 'ms'>> {
  try {
    const answer = await fetch(`${url}/internals/kernel/health`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const { status, probes = [] } = (await answer.json()) as KernelHealth
    const details = probes.flatMap(({ detail }) => (detail === null ? [] : [detail]))
    // A problem document has a number for a status: then it could not even tell.
    return { status: typeof status === 'string' ? status : 'unavailable', details }
  } catch (error) {
    return { status: 'none', details: [String(error)] }
  }
}

interface KernelHealth {
  readonly status: 'ok' | 'degraded' | 'unavailable' | number
  readonly probes?: readonly { readonly detail: string | null }[]
}

export interface Keeper {
  /** How often it had ended by itself. */
  ends(): number
  stop(): Promise<void>
}

const KEEP_MS = 250

/**
 * Does what a service manager does for Postgres: starts it again when it has ended. It ends itself when its log cannot
 * grow and it cannot even recover from that.
 */
export function keepRunning({ postgres }: Pick<Servers, 'postgres'>): Keeper {
  const stopping = new AbortController()
  let ends = 0

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(KEEP_MS)
      // Changes nothing for a process that runs, and tells whether there is one.
      if (postgres.kill('SIGCONT')) continue
      ends += 1
      while (!stopping.signal.aborted && !(await startsAgain())) await delay(KEEP_MS)
    }
  }

  async function startsAgain(): Promise<boolean> {
    return postgres.restart().then(
      () => true,
      () => false,
    )
  }

  const keeping = keep()
  return {
    ends: () => ends,
    async stop() {
      stopping.abort()
      await keeping
    },
  }
}
