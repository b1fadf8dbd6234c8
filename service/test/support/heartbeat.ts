/** A word of a process that has nothing to do, but for what a test says of it. */
import type { Heartbeat } from '../../src/domain/heartbeat.ts'

export const heartbeat = (parts: Partial<Heartbeat> = {}): Heartbeat => ({
  id: 'host:1:a',
  role: 'worker',
  host: 'host',
  pid: 1,
  startedAt: 1_000,
  hatchery: null,
  saidAt: 9_000,
  state: 'idle',
  inFlight: 0,
  processed: 0,
  failed: 0,
  memoryBytes: 1,
  lastCompletionAt: null,
  capacity: 64,
  busyMs: 0,
  current: null,
  ...parts,
})
