/**
 * Keeps the last heartbeat of each process, received through the broker. Heartbeats are validated, and ages are measured by the
 * clock of this process.
 */
import { z } from 'zod'

export interface LastSeen<Said> {
  readonly said: Said
  /** The time since it was received. */
  readonly ageMs: number
  readonly alive: boolean
}

export interface HeartbeatRegistry<Said> {
  /** Records a heartbeat. Returns undefined if it is invalid or the registry is full. */
  hear(payload: string): Said | undefined
  /** Returns the processes by id. Those that were silent for long are dropped. */
  heard(): readonly LastSeen<Said>[]
  /** Returns the processes in no order, including those that are about to be dropped. */
  remembered(): readonly LastSeen<Said>[]
}

export interface HeartbeatRegistryOptions<Said> {
  readonly form: z.ZodType<Said>
  readonly longestPayload: number
  /** The maximum number of processes, so that invented ids cannot exhaust memory. */
  readonly most: number
  /** True for the last heartbeat of a process that is stopping. */
  readonly isLeaving?: (said: Said) => boolean
}

const LOST_MS = 5_000
const FORGOTTEN_MS = 60_000

export const instant = z.number().min(0).max(8.64e15)
export const processId = z.string().min(1).max(200)
export const role = z.string().regex(/^[a-z][a-z-]{0,39}$/)

/** The fields that identify the process in a heartbeat. */
export const speaker = {
  id: processId,
  host: z.string().min(1).max(255),
  pid: z.int().min(1),
  startedAt: instant,
  saidAt: instant,
}

export function createHeartbeatRegistry<Said extends { readonly id: string }>(
  { form, longestPayload, most, isLeaving = () => false }: HeartbeatRegistryOptions<Said>,
  monotonicMs: () => number,
): HeartbeatRegistry<Said> {
  const known = new Map<string, { readonly said: Said; readonly at: number }>()

  function forget(): void {
    const now = monotonicMs()
    for (const [id, { said, at }] of known)
      if (now - at > (isLeaving(said) ? LOST_MS : FORGOTTEN_MS)) known.delete(id)
  }

  function hasRoomFor(id: string): boolean {
    return known.has(id) || known.size < most
  }

  function remembered(): LastSeen<Said>[] {
    const now = monotonicMs()
    return [...known.values()].map(({ said, at }) => ({ said, ageMs: now - at, alive: now - at <= LOST_MS }))
  }

  return {
    hear(payload) {
      const said = payload.length > longestPayload ? undefined : parse(form, payload)
      if (!said) return undefined
      if (!hasRoomFor(said.id)) forget()
      if (!hasRoomFor(said.id)) return undefined
      known.set(said.id, { said, at: monotonicMs() })
      return said
    },
    heard() {
      forget()
      return remembered().toSorted((a, b) => (a.said.id < b.said.id ? -1 : 1))
    },
    remembered,
  }
}

function parse<Said>(form: z.ZodType<Said>, payload: string): Said | undefined {
  try {
    return form.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
