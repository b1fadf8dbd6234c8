/**
 * Keeps the last heartbeat of each process that sends one over the broker. The registry validates every payload, and takes
 * ages from the clock of this process.
 */
import { z } from 'zod'

export interface LastSeen<Beat> {
  readonly heartbeat: Beat
  /** The time since it was received. */
  readonly ageMs: number
  readonly alive: boolean
}

export interface HeartbeatRegistry<Beat> {
  /** Records a heartbeat. Returns undefined if it is invalid or the registry is full. */
  record(payload: string): Beat | undefined
  /** Returns the processes by id. Those that were silent for long are dropped. */
  list(): readonly LastSeen<Beat>[]
  /** Returns the processes in no order, including those that are about to be dropped. */
  listAll(): readonly LastSeen<Beat>[]
}

export interface HeartbeatRegistryOptions<Beat> {
  readonly schema: z.ZodType<Beat>
  readonly maxPayload: number
  /** The maximum number of processes, so that invented ids cannot exhaust memory. */
  readonly maxProcesses: number
  /** True for the last heartbeat of a process that is stopping. */
  readonly isRetiring?: (heartbeat: Beat) => boolean
}

const LOST_MS = 5_000
const FORGOTTEN_MS = 60_000

export const instant = z.number().min(0).max(8.64e15)
export const processId = z.string().min(1).max(200)
export const role = z.string().regex(/^[a-z][a-z-]{0,39}$/)

/** The fields that identify the process in a heartbeat. */
export const senderFields = {
  id: processId,
  host: z.string().min(1).max(255),
  pid: z.int().min(1),
  startedAt: instant,
  saidAt: instant,
}

export function createHeartbeatRegistry<Beat extends { readonly id: string }>(
  { schema, maxPayload, maxProcesses, isRetiring = () => false }: HeartbeatRegistryOptions<Beat>,
  monotonicMs: () => number,
): HeartbeatRegistry<Beat> {
  const known = new Map<string, { readonly heartbeat: Beat; readonly at: number }>()

  function forget(): void {
    const now = monotonicMs()
    for (const [id, { heartbeat, at }] of known)
      if (now - at > (isRetiring(heartbeat) ? LOST_MS : FORGOTTEN_MS)) known.delete(id)
  }

  function hasRoomFor(id: string): boolean {
    return known.has(id) || known.size < maxProcesses
  }

  function listAll(): LastSeen<Beat>[] {
    const now = monotonicMs()
    return [...known.values()].map(({ heartbeat, at }) => ({
      heartbeat,
      ageMs: now - at,
      alive: now - at <= LOST_MS,
    }))
  }

  return {
    record(payload) {
      const heartbeat = payload.length > maxPayload ? undefined : parse(schema, payload)
      if (!heartbeat) return undefined
      if (!hasRoomFor(heartbeat.id)) forget()
      if (!hasRoomFor(heartbeat.id)) return undefined
      known.set(heartbeat.id, { heartbeat, at: monotonicMs() })
      return heartbeat
    },
    list() {
      forget()
      return listAll().toSorted((a, b) => (a.heartbeat.id < b.heartbeat.id ? -1 : 1))
    },
    listAll,
  }
}

function parse<Beat>(schema: z.ZodType<Beat>, payload: string): Beat | undefined {
  try {
    return schema.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
