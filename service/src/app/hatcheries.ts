/** The hatcheries that were heard lately. What comes from the broker is looked at before it is believed. */
import { z } from 'zod'
import type { HatcherySaid } from '../domain/hatchery.ts'

export interface HeardHatchery {
  readonly said: HatcherySaid
  readonly ageMs: number
  readonly alive: boolean
}

export interface Hatcheries {
  hear(payload: string): void
  /** By id; those that have been silent for long are forgotten. */
  heard(): readonly HeardHatchery[]
}

const LOST_MS = 5_000
const FORGOTTEN_MS = 60_000
const MOST = 200
const LONGEST_PAYLOAD = 64_000

const count = z.int().min(0).max(100_000)
const instant = z.number().min(0).max(8.64e15)
const id = z.string().min(1).max(200)
const role = z.string().regex(/^[a-z][a-z-]{0,39}$/)
const decision = z.strictObject({
  at: instant,
  role,
  from: count,
  to: count,
  reason: z.string().min(1).max(500),
})
const said = z.strictObject({
  id,
  host: z.string().min(1).max(255),
  pid: z.int().min(1),
  startedAt: instant,
  saidAt: instant,
  broods: z
    .array(z.strictObject({ role, min: count, max: count, wanted: count, running: count, starting: count }))
    .max(20),
  decisions: z.array(decision).max(20),
  wishes: z
    .array(z.strictObject({ hatchery: id, role, wanted: count }))
    .max(20 * MOST)
    .nullable(),
})

export function createHatcheries(monotonicMs: () => number): Hatcheries {
  const known = new Map<string, { readonly said: HatcherySaid; readonly at: number }>()

  function forget(): void {
    for (const [key, { at }] of known) if (monotonicMs() - at > FORGOTTEN_MS) known.delete(key)
  }

  return {
    hear(payload) {
      const parsed = parse(payload)
      if (!parsed) return
      forget()
      if (!known.has(parsed.id) && known.size >= MOST) return
      known.set(parsed.id, { said: parsed, at: monotonicMs() })
    },
    heard() {
      forget()
      const now = monotonicMs()
      return [...known.values()]
        .map((each) => ({ said: each.said, ageMs: now - each.at, alive: now - each.at <= LOST_MS }))
        .toSorted((a, b) => (a.said.id < b.said.id ? -1 : 1))
    },
  }
}

function parse(payload: string): HatcherySaid | undefined {
  if (payload.length > LONGEST_PAYLOAD) return undefined
  try {
    return said.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
