/**
 * Where files are read: each in a process of its own, which a file may crash, hang or fill without harm to this process or to files beside
 * it. A few at a time; the others wait, and the tenant that has the fewest files under way goes first.
 */
import type { Extraction, FileType } from '../domain/file-layout.ts'
import { Fault } from '../domain/fault.ts'
import { openCodeCache } from '../platform/code-cache.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { extractInChild } from './extractor/child.ts'
import type { ExtractionLimits } from './extractor/child.ts'

export interface Extractor extends Part {
  /** Never rejects for what a file does. Throws `overloaded` where the file would wait too long. */
  extract(tenantId: string, type: FileType, bytes: Uint8Array): Promise<Extraction>
}

export interface ExtractorOptions {
  /** The script of a child, which calls `serveExtraction`. */
  readonly entry: URL
  /** Children at the same time. */
  readonly size: number
  readonly limits: ExtractionLimits
  /** Whether children give way to all other processes, from their start. */
  readonly givesWay: boolean
  /** A file that no child has begun by then is refused. */
  readonly maxWaitMs: number
  readonly log: Log
}

interface Waiting {
  readonly tenantId: string
  begin(): void
}

export function createExtractor({
  entry,
  size,
  limits,
  givesWay,
  maxWaitMs,
  log,
}: ExtractorOptions): Extractor {
  const waiting: Waiting[] = []
  const underWay = new Map<string, number>()
  const stopping = new AbortController()
  const codeCache = openCodeCache()
  let busy = 0

  function enter(tenantId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (error: Fault) => {
      const at = waiting.indexOf(place)
      if (at !== -1) waiting.splice(at, 1)
      reject(error)
    }
    const timer = setTimeout(
      () => giveUp(new Fault('overloaded', { internal: 'no process was free to read the file' })),
      maxWaitMs,
    )
    const place: Waiting = {
      tenantId,
      begin() {
        clearTimeout(timer)
        resolve()
      },
    }
    waiting.push(place)
    beginNext()
    return promise
  }

  function beginNext(): void {
    while (busy < size && waiting.length > 0) {
      const next = waiting.reduce((first, each) => (countOf(each) < countOf(first) ? each : first))
      waiting.splice(waiting.indexOf(next), 1)
      busy += 1
      underWay.set(next.tenantId, countOf(next) + 1)
      next.begin()
    }
  }

  const countOf = ({ tenantId }: Pick<Waiting, 'tenantId'>) => underWay.get(tenantId) ?? 0

  function leave(tenantId: string): void {
    busy -= 1
    const left = countOf({ tenantId }) - 1
    if (left > 0) underWay.set(tenantId, left)
    else underWay.delete(tenantId)
    beginNext()
  }

  return {
    name: 'extractor',
    start: async () => undefined,
    async stop() {
      stopping.abort()
    },
    async extract(tenantId, type, bytes) {
      await enter(tenantId)
      try {
        // @point files.read
        return await extractInChild(
          { entry, limits, givesWay, codeCache, log, signal: stopping.signal },
          type,
          bytes,
        )
      } finally {
        leave(tenantId)
      }
    },
  }
}
