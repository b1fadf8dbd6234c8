/** The identity of this process, as it tells others once a second. */
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

/** In one process there may be several roles, and after a restart in a container host and pid may be those of before. */
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
