/** What a process of the kernel says of itself, once a second. Ids and figures, nothing of a document. */

export type HeartbeatState = 'idle' | 'busy' | 'retiring'

/** Who it is; the same as long as the process lives. */
export interface Self {
  readonly id: string
  /** `worker`, `dispatcher`, and whatever comes later. */
  readonly role: string
  readonly host: string
  readonly pid: number
  /** In milliseconds of the sender's clock, like every instant here. */
  readonly startedAt: number
}

export interface Heartbeat extends Self {
  /** Of the same clock as the other instants, so that their age is true whatever that clock says. */
  readonly saidAt: number
  readonly state: HeartbeatState
  readonly inHand: number
  readonly processed: number
  readonly failed: number
  readonly memoryBytes: number
  readonly lastCompletionAt: number | null
}

/** What a process knows of its work. */
export interface Vitals {
  readonly inHand: number
  readonly processed: number
  readonly failed: number
  readonly memoryBytes: number
  /** How long ago a document came to its end here; null when none ever did. */
  readonly sinceCompletionMs: number | null
}

export function heartbeatOf(self: Self, vitals: Vitals, saidAt: number, retiring: boolean): Heartbeat {
  const { sinceCompletionMs, ...figures } = vitals
  const busyOrIdle = vitals.inHand > 0 ? 'busy' : 'idle'
  return {
    ...self,
    ...figures,
    saidAt,
    state: retiring ? 'retiring' : busyOrIdle,
    lastCompletionAt: sinceCompletionMs === null ? null : Math.round(saidAt - sinceCompletionMs),
  }
}
