/** Lists the hatcheries that sent a heartbeat recently. */
import { z } from 'zod'
import type { HatcherySaid } from '../../domain/hatchery.ts'
import { createHeartbeatRegistry, instant, processId, role, speaker } from './heartbeat-registry.ts'
import type { LastSeen, HeartbeatRegistry } from './heartbeat-registry.ts'

export type HeardHatchery = LastSeen<HatcherySaid>

export type Hatcheries = Pick<HeartbeatRegistry<HatcherySaid>, 'hear' | 'heard'>

const MOST = 200

const count = z.int().min(0).max(100_000)
const decision = z.strictObject({
  at: instant,
  role,
  from: count,
  to: count,
  reason: z.string().min(1).max(500),
})
const form = z.strictObject({
  ...speaker,
  broods: z
    .array(z.strictObject({ role, min: count, max: count, wanted: count, running: count, starting: count }))
    .max(20),
  decisions: z.array(decision).max(20),
  wishes: z
    .array(z.strictObject({ hatchery: processId, role, wanted: count }))
    .max(20 * MOST)
    .nullable(),
})

export function createHatcheries(monotonicMs: () => number): Hatcheries {
  return createHeartbeatRegistry({ form, longestPayload: 64_000, most: MOST }, monotonicMs)
}
