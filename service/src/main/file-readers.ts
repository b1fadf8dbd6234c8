/** The child processes of an API that read files. */
import { createExtractor } from '../hatchery/extractor.ts'
import type { Extractor } from '../hatchery/extractor.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'

/** A file waits and is read within less than a minute, after which proxies usually give up. */
export function openExtractor({ FILE_READERS: size }: Pick<Config, 'FILE_READERS'>, log: Log): Extractor {
  return createExtractor({
    entry: new URL('./extractor.ts', import.meta.url),
    size,
    limits: { cpuSeconds: 20, wallMs: 40_000, memoryMb: 512 },
    givesWay: true,
    maxWaitMs: 15_000,
    log,
  })
}
