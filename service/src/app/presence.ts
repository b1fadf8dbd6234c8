/**
 * Who is there: the processes of the kernel that were heard lately, by what they say of themselves. What comes from the
 * broker is looked at before it is believed, and times are those of this process' own clock.
 */
import { z } from 'zod'
import type { Heartbeat } from '../domain/heartbeat.ts'

export interface Member {
  readonly id: string
  readonly role: string
  readonly alive: boolean
  /** How long ago it was heard. */
  readonly ageMs: number
  readonly said: Heartbeat
}

export interface Presence {
  /** A heartbeat as it came; one that makes no sense changes nothing. */
  hear(payload: string): void
  /** By role and id. */
  members(): readonly Member[]
  /** How long nobody of the role who takes work was heard; since this process listens, if there never was one. */
  silenceMs(role: string): number
  /** Since the last document came to its end, whoever had it; null when nobody said so yet. */
  sinceCompletionMs(): number | null
}

const LOST_MS = 5_000
const FORGOTTEN_MS = 60_000
/** Far more than anybody runs; a flood of invented names must not fill the memory. */
const MOST_MEMBERS = 2_000
const LONGEST_PAYLOAD = 4_000

const instant = z.number().min(0).max(8.64e15)
const count = z.int().min(0)
const heartbeat = z.strictObject({
  id: z.string().min(1).max(200),
  role: z.string().regex(/^[a-z][a-z-]{0,39}$/),
  host: z.string().min(1).max(255),
  pid: z.int().min(1),
  startedAt: instant,
  hatchery: z.string().min(1).max(200).nullable(),
  saidAt: instant,
  state: z.enum(['idle', 'busy', 'retiring']),
  inHand: count,
  processed: count,
  failed: count,
  memoryBytes: count,
  lastCompletionAt: instant.nullable(),
  capacity: count,
  busyMs: count,
  current: z
    .strictObject({
      tenantId: z.uuid(),
      scopeId: z.string().min(1).max(200),
      documentId: z.string().min(1).max(300),
      attempt: count,
      startedAt: instant,
    })
    .nullable(),
})

interface Heard {
  readonly said: Heartbeat
  readonly at: number
}

export function createPresence(monotonicMs: () => number): Presence {
  const listeningSince = monotonicMs()
  const heard = new Map<string, Heard>()
  /** Outlives whoever told of it. */
  let completedAt: number | undefined

  /** One that said good-bye is not missed. */
  function forget(now: number): void {
    for (const [id, { said, at }] of heard)
      if (now - at > (said.state === 'retiring' ? LOST_MS : FORGOTTEN_MS)) heard.delete(id)
  }

  function noteCompletion({ saidAt, lastCompletionAt }: Heartbeat, now: number): void {
    if (lastCompletionAt === null) return
    const at = now - Math.max(0, saidAt - lastCompletionAt)
    completedAt = Math.max(completedAt ?? at, at)
  }

  return {
    hear(payload) {
      const said = parse(payload)
      if (!said) return
      const now = monotonicMs()
      if (!heard.has(said.id) && heard.size >= MOST_MEMBERS) forget(now)
      if (!heard.has(said.id) && heard.size >= MOST_MEMBERS) return
      heard.set(said.id, { said, at: now })
      noteCompletion(said, now)
    },
    members() {
      const now = monotonicMs()
      forget(now)
      return [...heard.values()]
        .map(({ said, at }) => ({
          id: said.id,
          role: said.role,
          alive: now - at <= LOST_MS,
          ageMs: now - at,
          said,
        }))
        .toSorted((a, b) => compare(a.role, b.role) || compare(a.id, b.id))
    },
    silenceMs(role) {
      const times = [...heard.values()]
        .filter(({ said }) => said.role === role && said.state !== 'retiring')
        .map(({ at }) => at)
      return monotonicMs() - Math.max(listeningSince, ...times)
    },
    sinceCompletionMs: () => (completedAt === undefined ? null : monotonicMs() - completedAt),
  }
}

function parse(payload: string): Heartbeat | undefined {
  if (payload.length > LONGEST_PAYLOAD) return undefined
  try {
    return heartbeat.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
