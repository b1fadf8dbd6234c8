/** Who this process is, as it tells others once a second. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { heartbeatOf } from '../domain/heartbeat.ts'
import type { Heartbeat, Vitals } from '../domain/heartbeat.ts'

/** In one process there may be several roles, and after a restart in a container host and pid may be those of before. */
export function describeSelf(
  role: string,
  read: () => Omit<Vitals, 'memoryBytes'>,
): (retiring: boolean) => Heartbeat {
  const self = {
    id: `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`,
    role,
    host: hostname(),
    pid: process.pid,
    startedAt: Math.round(performance.timeOrigin),
  }
  return (retiring) =>
    heartbeatOf(self, { ...read(), memoryBytes: process.memoryUsage.rss() }, Date.now(), retiring)
}
