/** The heartbeat of a process of the kernel, once a second. It has ids and numbers, and no content of documents. */

export type HeartbeatState = 'idle' | 'busy' | 'retiring'

/** The identity of a process, which does not change while the process runs. */
export interface Self {
  readonly id: string
  /** `worker`, `dispatcher` or a later role. */
  readonly role: string
  readonly host: string
  readonly pid: number
  /** In milliseconds of the sender's clock, like all times here. */
  readonly startedAt: number
  /** The hatchery that started the process; null if another one did. */
  readonly hatchery: string | null
}

/** The attempt that has been in flight longest. */
export interface CurrentAttempt {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  /** 0 until the attempt has started. */
  readonly attempt: number
  readonly startedAt: number
}

export interface Heartbeat extends Self {
  /** From the same clock as the other times, so that their ages are right even if the clock is wrong. */
  readonly saidAt: number
  readonly state: HeartbeatState
  readonly inFlight: number
  readonly processed: number
  readonly failed: number
  readonly memoryBytes: number
  readonly lastCompletionAt: number | null
  /** How many attempts it runs at a time. */
  readonly capacity: number
  /**
   * The used capacity times its duration, since the start: at full capacity it grows by `capacity` each millisecond.
   */
  readonly busyMs: number
  readonly current: CurrentAttempt | null
  /** Set by a process that asks a judge. */
  readonly judge?: 'on' | 'failing' | undefined
  /** Set by a process that reads with a language model. */
  readonly model?: 'on' | 'failing' | undefined
}

/** The measurements of a process about its work. */
export interface Vitals {
  readonly inFlight: number
  readonly processed: number
  readonly failed: number
  readonly memoryBytes: number
  /** The time since this process completed a document; null before the first one. */
  readonly sinceCompletionMs: number | null
  readonly capacity: number
  readonly busyMs: number
  readonly current: (Omit<CurrentAttempt, 'startedAt'> & { readonly forMs: number }) | null
  readonly judge?: 'on' | 'failing' | undefined
  readonly model?: 'on' | 'failing' | undefined
}

export function heartbeatOf(self: Self, vitals: Vitals, saidAt: number, retiring: boolean): Heartbeat {
  const { sinceCompletionMs, current, busyMs, ...figures } = vitals
  const busyOrIdle = vitals.inFlight > 0 ? 'busy' : 'idle'
  return {
    ...self,
    ...figures,
    busyMs: Math.round(busyMs),
    saidAt,
    state: retiring ? 'retiring' : busyOrIdle,
    lastCompletionAt: sinceCompletionMs === null ? null : Math.round(saidAt - sinceCompletionMs),
    current: current && toCurrent(current, saidAt),
  }
}

function toCurrent({ forMs, ...attempt }: NonNullable<Vitals['current']>, saidAt: number): CurrentAttempt {
  return { ...attempt, startedAt: Math.round(saidAt - forMs) }
}
