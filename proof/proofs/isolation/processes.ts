/** The processes that are attacked: some for each way of authenticating, all on the same database. */
import type { Deployment } from '@concord/tools/launch'
import { authModes } from './auth-modes.ts'
import type { AuthMode } from './auth-modes.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import type { Answer, Wire, WireRequest } from './wire.ts'

/** To one of the processes of that mode; any number of a replica will do. */
export type Send = (mode: AuthMode, replica: number, request: WireRequest) => Promise<Answer>

export interface Processes {
  readonly send: Send
  /** The address of one of the processes of that mode. */
  urlOf(mode: AuthMode, replica: number): string
}

/** Two where one process could know what the other does not: keys just revoked, signatures just used. */
const REPLICAS: Readonly<Record<AuthMode, number>> = { key: 2, 'trusted-gateway': 2, 'insecure-tenant-id': 1 }

/** `few` starts one of each: where statements are attacked, and not what processes remember. */
export async function startProcesses(deployment: Deployment, wire: Wire, few: boolean): Promise<Processes> {
  const urls: Record<AuthMode, string[]> = { key: [], 'trusted-gateway': [], 'insecure-tenant-id': [] }
  const starts = authModes.flatMap((mode) => Array.from({ length: few ? 1 : REPLICAS[mode] }, () => mode))
  // All at once would take just as long together, and the last of them too long for whoever waits for it.
  await inParallel(starts, 2, async (mode) => {
    const { url } = await deployment.startApi({ AUTH_MODE: mode })
    urls[mode].push(url)
  })
  const urlOf = (mode: AuthMode, replica: number) => urls[mode][replica % urls[mode].length] ?? ''
  return { urlOf, send: (mode, replica, request) => wire.send(urlOf(mode, replica), request) }
}
