/** Remembers when a key was last used, in one statement a minute for all of them, off the path of requests. */
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { markKeysUsed } from '../store/key-registry.ts'
import type { Pool } from '../store/pools.ts'

export interface KeyUsageDeps {
  readonly registry: Pool
  readonly takeUsed: () => string[]
  readonly log: Log
  readonly everyMs?: number
}

export function createKeyUsage({ registry, takeUsed, log, everyMs = 60_000 }: KeyUsageDeps): Part {
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    const used = takeUsed()
    if (used.length === 0) return
    // A lost minute of this is worth a line in the log and no more.
    await markKeysUsed(registry, used).catch((error: unknown) =>
      log.warn({ err: error }, 'key use was not noted'),
    )
  }

  return {
    name: 'key usage',
    async start() {
      timer = setInterval(() => void write(), everyMs)
    },
    async stop() {
      clearInterval(timer)
      await write()
    },
  }
}
