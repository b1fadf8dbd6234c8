/** Opens the extractor of an API process. */
import { createExtractor } from '../hatchery/extractor.ts'
import type { Extractor } from '../hatchery/extractor.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'

/** Waiting and reading take less than a minute together, after which proxies usually time out. */
export function openExtractor({ FILE_READERS: size }: Pick<Config, 'FILE_READERS'>, log: Log): Extractor {
  return createExtractor({
    entry: new URL('./extractor.ts', import.meta.url),
    size,
    limits: { cpuSeconds: 20, wallMs: 40_000, memoryMb: 512 },
    nice: true,
    maxWaitMs: 15_000,
    log,
  })
}
