/** The retention settings, and the intervals of the sweeper. */

export interface RetentionSettings {
  /** For records of idempotency keys. */
  readonly keysSeconds: number
  /** For superseded versions of documents; undefined keeps them for ever. */
  readonly versionsSeconds: number | undefined
  /** For entries of the event logs; undefined keeps them for ever. */
  readonly eventsSeconds: number | undefined
}

/**
 * The walk `scopes` finds expired idempotency keys and log entries, `documents` finds expired versions, and `moves` folds
 * recent status changes into the statistics of their scopes and deletes them.
 */
export type Walk = 'scopes' | 'documents' | 'moves'

/** The kinds of rows that the sweeper deletes, by table name. */
export type RemovedTable = 'idempotency_keys' | 'document_versions' | 'scope_log' | 'kernel_log'

export function walksOf({ versionsSeconds }: RetentionSettings): readonly Walk[] {
  return versionsSeconds === undefined ? ['moves', 'scopes'] : ['moves', 'scopes', 'documents']
}

const HOUR = 3_600

/**
 * The time between the starts of two passes: a tenth of the shortest retention, and at most an hour; moves are counted
 * each second.
 */
export function passIntervalSeconds(settings: RetentionSettings, walk: Walk): number {
  if (walk === 'moves') return 1
  const { keysSeconds, versionsSeconds = Infinity, eventsSeconds = Infinity } = settings
  const shortest = walk === 'documents' ? versionsSeconds : Math.min(keysSeconds, eventsSeconds)
  return Math.min(HOUR, Math.max(1, shortest / 10))
}

/** If the last pass began longer ago than this, the sweeper is late. */
export const LATE_AFTER_MS = 3 * HOUR * 1_000
