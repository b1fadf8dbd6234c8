/**
 * Reads each file in a process of its own. A file may crash, hang or fill that process without harm to this one or to
 * other files. A few files are read at a time; the others wait, and the tenant with the fewest files in flight goes
 * first. A tenant that has a file in flight does not get the last process, so that a file of another tenant begins at once.
 */
import type { Extraction, FileType } from '../domain/file-layout.ts'
import { Fault } from '../domain/fault.ts'
import { openCodeCache } from '../platform/code-cache.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { extractInChild } from './extractor/child.ts'
import type { ExtractionLimits } from './extractor/child.ts'

export interface Extractor extends Part {
  /** Never rejects because of the file. Throws `overloaded` if the file has waited too long. */
  extract(tenantId: string, type: FileType, bytes: Uint8Array): Promise<Extraction>
}

export interface ExtractorOptions {
  /** The script of a child, which calls `serveExtraction`. */
  readonly entry: URL
  /** The maximum number of children at a time. */
  readonly size: number
  readonly limits: ExtractionLimits
  /** Whether children have low priority from their start. */
  readonly nice: boolean
  /** A file that has waited for a child this long is refused. */
  readonly maxWaitMs: number
  readonly log: Log
}

interface QueuedFile {
  readonly tenantId: string
  begin(): void
}

export function createExtractor({ entry, size, limits, nice, maxWaitMs, log }: ExtractorOptions): Extractor {
  const waiting: QueuedFile[] = []
  const inFlight = new Map<string, number>()
  const stopping = new AbortController()
  const codeCache = openCodeCache()
  let busy = 0

  function enter(tenantId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (error: Fault) => {
      const at = waiting.indexOf(queued)
      if (at !== -1) waiting.splice(at, 1)
      reject(error)
    }
    const timer = setTimeout(
      () => giveUp(new Fault('overloaded', { internal: 'no process was free to read the file' })),
      maxWaitMs,
    )
    const queued: QueuedFile = {
      tenantId,
      begin() {
        clearTimeout(timer)
        resolve()
      },
    }
    waiting.push(queued)
    beginNext()
    return promise
  }

  function beginNext(): void {
    while (busy < size) {
      const next = findNext(waiting, countOf, size > 1 && busy === size - 1)
      if (!next) return
      waiting.splice(waiting.indexOf(next), 1)
      busy += 1
      inFlight.set(next.tenantId, countOf(next) + 1)
      next.begin()
    }
  }

  const countOf = ({ tenantId }: Pick<QueuedFile, 'tenantId'>) => inFlight.get(tenantId) ?? 0

  function leave(tenantId: string): void {
    busy -= 1
    const left = countOf({ tenantId }) - 1
    if (left > 0) inFlight.set(tenantId, left)
    else inFlight.delete(tenantId)
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
        if (stopping.signal.aborted) throw new Fault('unavailable', { internal: 'the process stops' })
        // @point files.read
        return await extractInChild(
          { entry, limits, nice, codeCache, log, signal: stopping.signal },
          type,
          bytes,
        )
      } finally {
        leave(tenantId)
      }
    },
  }
}

/** Returns the file of the tenant with the fewest files in flight. The last process goes to a tenant that has none. */
function findNext(
  [first, ...others]: readonly QueuedFile[],
  countOf: (file: QueuedFile) => number,
  isLast: boolean,
): QueuedFile | undefined {
  if (!first) return undefined
  const next = others.reduce((least, each) => (countOf(each) < countOf(least) ? each : least), first)
  return isLast && countOf(next) > 0 ? undefined : next
}
