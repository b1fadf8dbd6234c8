/** How long things are kept, and how often the sweeper looks for what is kept no longer. */

export interface RetentionSettings {
  /** Records of idempotency keys. */
  readonly keysSeconds: number
  /** Superseded versions of documents; kept for good where it is undefined. */
  readonly versionsSeconds: number | undefined
  /** Entries of the logs; kept for good where it is undefined. */
  readonly eventsSeconds: number | undefined
}

/**
 * A walk through all scopes finds keys and log entries, one through all documents finds versions. One through what moved lately counts it
 * into the figures of scopes, and removes it.
 */
export type Walk = 'scopes' | 'documents' | 'moves'

/** The kinds of rows that are removed, by the name of their table. */
export type RemovedTable = 'idempotency_keys' | 'document_versions' | 'scope_log' | 'kernel_log'

export function walksOf({ versionsSeconds }: RetentionSettings): readonly Walk[] {
  return versionsSeconds === undefined ? ['moves', 'scopes'] : ['moves', 'scopes', 'documents']
}

const HOUR = 3_600

/** From the begin of one pass to that of the next: a tenth of the shortest retention, and an hour at most; moves are looked for each second. */
export function passIntervalSeconds(settings: RetentionSettings, walk: Walk): number {
  if (walk === 'moves') return 1
  const { keysSeconds, versionsSeconds = Infinity, eventsSeconds = Infinity } = settings
  const shortest = walk === 'documents' ? versionsSeconds : Math.min(keysSeconds, eventsSeconds)
  return Math.min(HOUR, Math.max(1, shortest / 10))
}

/** A pass that began longer ago than this was not followed by another one in time. */
export const LATE_AFTER_MS = 3 * HOUR * 1_000
