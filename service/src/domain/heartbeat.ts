/** The heartbeat of a process of the kernel, once a second. Ids and figures, nothing of a document. */

export type HeartbeatState = 'idle' | 'busy' | 'retiring'

/** The identity of a process; the same as long as the process lives. */
export interface Self {
  readonly id: string
  /** `worker`, `dispatcher`, and whatever comes later. */
  readonly role: string
  readonly host: string
  readonly pid: number
  /** In milliseconds of the sender's clock, like every instant here. */
  readonly startedAt: number
  /** The hatchery that looks after it; null when somebody else started it. */
  readonly hatchery: string | null
}

/** The attempt that has been in flight longest. */
export interface CurrentAttempt {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  /** 0 until it is claimed. */
  readonly attempt: number
  readonly startedAt: number
}

export interface Heartbeat extends Self {
  /** Read from the same clock as the other instants, so that their age is true whatever that clock says. */
  readonly saidAt: number
  readonly state: HeartbeatState
  readonly inFlight: number
  readonly processed: number
  readonly failed: number
  readonly memoryBytes: number
  readonly lastCompletionAt: number | null
  /** How many attempts it has room for at once. */
  readonly capacity: number
  /** Room that was taken, times how long, since it started: it grows by `capacity` a millisecond when all is taken. */
  readonly busyMs: number
  readonly current: CurrentAttempt | null
  /** Set by a process that asks a judge. */
  readonly judge?: 'on' | 'failing' | undefined
  /** Set by a process that reads with a language model. */
  readonly model?: 'on' | 'failing' | undefined
}

/** The facts of a process about its work. */
export interface Vitals {
  readonly inFlight: number
  readonly processed: number
  readonly failed: number
  readonly memoryBytes: number
  /** How long ago a document came to its end here; null when none ever did. */
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

function toCurrent({ forMs, ...place }: NonNullable<Vitals['current']>, saidAt: number): CurrentAttempt {
  return { ...place, startedAt: Math.round(saidAt - forMs) }
}
