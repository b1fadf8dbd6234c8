/** The service under attack: processes for each way of authenticating, all on one database, and the root keys. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Deployment } from '@concord/tools/launch'
import { unknownKey } from '../../harness/forged-keys.ts'
import { createHttpClient } from '../../harness/http.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'

/** The ways in which a deployment can have tenants prove themselves, as AUTH_MODE names them. */
export const authModes = ['key', 'trusted-gateway', 'insecure-tenant-id'] as const

export type ProvedAuthMode = (typeof authModes)[number]

/** Two where one process could know what the other does not: keys just revoked, signatures just used. */
const REPLICAS: Readonly<Record<ProvedAuthMode, number>> = {
  key: 2,
  'trusted-gateway': 2,
  'insecure-tenant-id': 1,
}

/** The beginning of an event stream is read: until this after its first bytes, or after its first event. */
const LISTEN_MS = 60
/** Long enough for a busy machine, short enough that a request without a response ends the run. */
const TIMEOUT_MS = 60_000
/** A busy machine may have a process refuse for a moment, unread. */
const ATTEMPTS = 10

export type Service = Awaited<ReturnType<typeof startService>>

/** `few` starts one process of each mode, and makes no dead root keys: for attacks on statements alone. */
export async function startService(deployment: Deployment, few: boolean) {
  const rootKeys = await createRootKeys(deployment, few)
  const clients: Record<ProvedAuthMode, HttpClient[]> = {
    key: [],
    'trusted-gateway': [],
    'insecure-tenant-id': [],
  }
  const starts = authModes.flatMap((mode) => Array.from({ length: few ? 1 : REPLICAS[mode] }, () => mode))
  // All at once would take just as long together, and the last of them too long for its start.
  await inParallel(starts, 2, async (mode) => {
    const { url } = await deployment.startApi({ AUTH_MODE: mode })
    clients[mode].push(createHttpClient(url))
  })
  const clientOf = (mode: ProvedAuthMode, replica: number) =>
    clients[mode][replica % clients[mode].length] as HttpClient
  /**
   * Sends to one of the processes of that mode; any number of a replica will do. A process that is overloaded answers 503
   * before it reads a request, so the request is sent again. A signed one is used up by then: its sender signs it anew.
   */
  const send = (mode: ProvedAuthMode, replica: number, request: HttpRequest): Promise<HttpResponse> => {
    const ask = () => clientOf(mode, replica).send({ listenMs: LISTEN_MS, timeoutMs: TIMEOUT_MS, ...request })
    return mode === 'trusted-gateway' ? ask() : untilAvailable(ask)
  }
  return {
    rootKeys,
    send,
    urlOf: (mode: ProvedAuthMode, replica: number) => clientOf(mode, replica).url,
    /** With an admin key unless another is named; anything but success is an error. */
    async seed<Result>(request: HttpRequest): Promise<Result> {
      const { status, text } = await send('key', 0, { bearer: rootKeys.admin, ...request })
      if (status >= 300)
        throw new Error(`The stage could not be set: ${request.path} answered ${status}: ${text}`)
      return JSON.parse(text) as Result
    },
    close() {
      for (const client of Object.values(clients).flat()) client.close()
    },
  }
}

/** Asks again while it is refused for want of capacity, for a bounded number of times. */
export async function untilAvailable(ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
  let response = await ask()
  for (let tries = 1; isRefusal(response) && tries < ATTEMPTS; tries += 1) {
    await delay(1_000)
    response = await ask()
  }
  return response
}

/** A report on the health of the kernel may be a 503 as well, but it is no problem document. */
function isRefusal({ status, text }: HttpResponse): boolean {
  return status === 503 && text.includes('"/problems/')
}

interface PrintedKey {
  readonly key_id: string
  readonly api_key: string
}

export type IsolationKeys = Awaited<ReturnType<typeof createRootKeys>>

/** Alive and dead, made as an operator makes them: on the command line. */
async function createRootKeys(deployment: Deployment, few: boolean) {
  const create = (tier: string) => deployment.concord<PrintedKey>('keys', 'create', '--tier', tier)
  const [admin, internals] = await Promise.all([create('admin'), create('internals')])
  const alive = { admin: admin.api_key, internals: internals.api_key }
  if (few) return { ...alive, expiredAdmin: unknownKey('a'), revokedAdmin: unknownKey('a') }
  const [expired, revoked] = await Promise.all([create('admin'), create('admin')])
  await Promise.all([
    // Rotated without an overlap: the old key expires in the same moment.
    deployment.concord('keys', 'rotate', expired.key_id, '--overlap', '0'),
    deployment.concord('keys', 'revoke', revoked.key_id),
  ])
  return { ...alive, expiredAdmin: expired.api_key, revokedAdmin: revoked.api_key }
}
