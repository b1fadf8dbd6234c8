/** How an attempt ends, as the worker counts and logs it. The list is closed. */
export type AttemptEnd =
  /** The result is committed. */
  | 'processed'
  /** The failure is committed, with its reason. */
  | 'failed'
  /** Policy requires a review. The hold is committed, with the decision. */
  | 'held'
  /** The attempt failed and is retried: the broker redelivers the message. */
  | 'retried'
  /** The message or the result is out of date after a newer version, a reset, a takeover or a removal. */
  | 'stale'
  /** The worker crashed in the last allowed attempt. The document has failed. */
  | 'exhausted'
  /** A switch forbids the attempt. The document is back in the backlog, and no attempt was counted. */
  | 'paused'
  /**
   * The language model gave no answer, or the worker stops. The document is back in the backlog, and no attempt was
   * counted.
   */
  | 'deferred'
  /** A dependency was away. The message is retried when its lease expires. */
  | 'abandoned'

/** The ends after which the document is complete and not attempted again. */
export const COMPLETIONS: ReadonlySet<AttemptEnd> = new Set(['processed', 'failed', 'held', 'exhausted'])
