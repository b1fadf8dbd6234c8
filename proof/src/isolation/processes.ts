/** The processes that are attacked: some for each way of authenticating, all on the same database. */
import type { Deployment } from '@concord/tools/launch'
import { authModes } from './expectations.ts'
import type { AuthMode } from './expectations.ts'
import { inParallel } from './in-parallel.ts'
import type { Answer, Wire, WireRequest } from './wire.ts'

/** To one of the processes of that mode; any number of a replica will do. */
export type Send = (mode: AuthMode, replica: number, request: WireRequest) => Promise<Answer>

/** Two where one process could know what the other does not: keys just revoked, signatures just used. */
const REPLICAS: Readonly<Record<AuthMode, number>> = { key: 2, 'trusted-gateway': 2, 'insecure-tenant-id': 1 }

export async function startProcesses(deployment: Deployment, wire: Wire): Promise<Send> {
  const urls: Record<AuthMode, string[]> = { key: [], 'trusted-gateway': [], 'insecure-tenant-id': [] }
  const starts = authModes.flatMap((mode) => Array.from({ length: REPLICAS[mode] }, () => mode))
  // All at once would take just as long together, and the last of them too long for whoever waits for it.
  await inParallel(starts, 2, async (mode) => {
    const { url } = await deployment.startApi({ AUTH_MODE: mode })
    urls[mode].push(url)
  })
  return (mode, replica, request) => wire.send(urls[mode][replica % REPLICAS[mode]] ?? '', request)
}
