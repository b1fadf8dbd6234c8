/** The observers of a full volume: one asks for the health of the kernel, one keeps Postgres running. */
import type { Fleet } from '../../harness/fleet.ts'
import { send } from '../../harness/http.ts'
import { repeat } from '../../harness/loop.ts'
import type { Servers } from '../../harness/servers.ts'
import type { HealthLook } from './verdict.ts'

export type HealthWatch = ReturnType<typeof watchHealth>

const LOOK_MS = 250
const TIMEOUT_MS = 8_000

/** Asks one API after the other. */
export function watchHealth({ urls }: Pick<Fleet, 'urls'>, internalsKey: string) {
  const looks: HealthLook[] = []
  let turn = 0

  async function look(): Promise<void> {
    const known = urls()
    const url = known[(turn += 1) % known.length]
    const at = Date.now()
    if (url === undefined) return
    const seen = await lookOnce(url, internalsKey)
    looks.push({ at, ms: Date.now() - at, ...seen })
  }

  const { stop } = repeat(look, { pauseMs: LOOK_MS })
  return { looks: looks as readonly HealthLook[], stop }
}

async function lookOnce(url: string, key: string): Promise<Omit<HealthLook, 'at' | 'ms'>> {
  try {
    const { text } = await send(url, { path: '/internals/kernel/health', bearer: key, timeoutMs: TIMEOUT_MS })
    const { status, probes = [] } = JSON.parse(text) as KernelHealth
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

const KEEP_MS = 250

/**
 * Does what a service manager does for Postgres: starts it again when it has ended. It ends itself when its log cannot
 * grow and it cannot even recover from that.
 */
export function keepRunning({ postgres }: Pick<Servers, 'postgres'>) {
  let ends = 0
  let isDown = false
  const { stop } = repeat(
    async () => {
      // Changes nothing for a process that runs, and tells whether there is one.
      if (!isDown && postgres.kill('SIGCONT')) return
      if (!isDown) ends += 1
      isDown = await postgres.restart().then(
        () => false,
        () => true,
      )
    },
    { pauseMs: KEEP_MS },
  )
  return {
    /** How often it had ended by itself. */
    ends: () => ends,
    stop,
  }
}
