/** Lists the hatcheries that sent a heartbeat recently. */
import { z } from 'zod'
import type { HatcheryHeartbeat } from '../../domain/hatchery.ts'
import { createHeartbeatRegistry, instant, processId, role, senderFields } from './heartbeat-registry.ts'
import type { LastSeen, HeartbeatRegistry } from './heartbeat-registry.ts'

export type LastSeenHatchery = LastSeen<HatcheryHeartbeat>

export type Hatcheries = Pick<HeartbeatRegistry<HatcheryHeartbeat>, 'record' | 'list'>

const MAX_HATCHERIES = 200

const count = z.int().min(0).max(100_000)
const decision = z.strictObject({
  at: instant,
  role,
  from: count,
  to: count,
  reason: z.string().min(1).max(500),
})
const schema = z.strictObject({
  ...senderFields,
  broods: z
    .array(z.strictObject({ role, min: count, max: count, wanted: count, running: count, starting: count }))
    .max(20),
  decisions: z.array(decision).max(20),
  wishes: z
    .array(z.strictObject({ hatchery: processId, role, wanted: count }))
    .max(20 * MAX_HATCHERIES)
    .nullable(),
})

export function createHatcheries(monotonicMs: () => number): Hatcheries {
  return createHeartbeatRegistry({ schema, maxPayload: 64_000, maxProcesses: MAX_HATCHERIES }, monotonicMs)
}
