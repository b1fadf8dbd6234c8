/** The identity of this process in its heartbeats. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { heartbeatOf } from '../domain/heartbeat.ts'
import type { Heartbeat, Self, Vitals } from '../domain/heartbeat.ts'

export function describeSelf(
  self: Self,
  read: () => Omit<Vitals, 'memoryBytes'>,
): (retiring: boolean) => Heartbeat {
  return (retiring) =>
    heartbeatOf(self, { ...read(), memoryBytes: process.memoryUsage.rss() }, Date.now(), retiring)
}

/**
 * The id has a random part, because one process may have several roles, and a restarted container may have the same
 * host and pid.
 */
export function nameSelf(role: string, hatchery: string | null = null): Self {
  return {
    id: `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`,
    role,
    host: hostname(),
    pid: process.pid,
    startedAt: Math.round(performance.timeOrigin),
    hatchery,
  }
}
