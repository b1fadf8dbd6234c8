/** How an attempt ends, as the worker counts and logs it. The list is closed. */
export type AttemptEnd =
  /** The result is committed. */
  | 'processed'
  /** Committed as failed for good, with its reason. */
  | 'failed'
  /** Policy wants a person: committed as held, with what decided. */
  | 'held'
  /** Committed as failed this time; the broker delivers it again. */
  | 'retried'
  /** The message or the result belongs to nobody any more: a newer version, a reset, a takeover, a removal. */
  | 'stale'
  /** Earlier attempts ended without a word, and that was the last; the document has failed. */
  | 'exhausted'
  /** A switch forbids it: it waits in the backlog again, and no attempt was counted. */
  | 'paused'
  /** The language model gave no answer, or the worker stops: it waits in the backlog again, and no attempt was counted. */
  | 'deferred'
  /** Something of ours was away; the lease is left to end and somebody tries again. */
  | 'abandoned'

/** The document is done with, one way or the other: nobody comes for it again. */
export const COMPLETIONS: ReadonlySet<AttemptEnd> = new Set(['processed', 'failed', 'held', 'exhausted'])
