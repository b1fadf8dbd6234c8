/** Clients that open a stream and never read from it, and what they cost the API in memory. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { DeployedApi } from '@concord/tools/launch'
import { requestBytes } from '../../harness/http.ts'
import { residentMb } from '../../harness/offspring.ts'
import type { Place } from '../../harness/places.ts'

export interface NeverReaderOptions {
  readonly api: DeployedApi
  readonly place: Place
  readonly readers: number
  /** Watched until it stops growing, but no longer than this. */
  readonly forMs: number
  /** No use in watching on once it has grown by this much. */
  readonly enoughMb: number
}

export interface NeverReaderCost {
  readonly beforeMb: number
  readonly grownMb: number
  /** The number of those whose first bytes came: the others would cost nothing because they never got in. */
  readonly admitted: number
}

const LOOK_MS = 50
const STEADY_MS = 3_000
const WARM_BYTES = 10_000_000

export async function measureNeverReaders(options: NeverReaderOptions): Promise<NeverReaderCost> {
  const { api, place, readers, forMs, enoughMb } = options
  // Someone who does read comes first: what the API needs for any reader is not the cost of these.
  const beforeMb = await readOn(api, place)
  const sockets = await Promise.all(Array.from({ length: readers }, () => openAndStall(api, place)))
  const highest = await watchGrowth(api, beforeMb, forMs, enoughMb)
  const admitted = sockets.filter((socket) => String(socket.read(12)) === 'HTTP/1.1 200').length
  for (const socket of sockets) socket.destroy()
  return { beforeMb, grownMb: highest - beforeMb, admitted }
}

async function watchGrowth(
  { pid }: DeployedApi,
  beforeMb: number,
  forMs: number,
  enoughMb: number,
): Promise<number> {
  const until = performance.now() + forMs
  let highest = beforeMb
  let grewAt = performance.now()
  while (
    performance.now() < until &&
    performance.now() - grewAt < STEADY_MS &&
    highest - beforeMb < enoughMb
  ) {
    const now = residentMb(pid)
    if (now > highest + 1) grewAt = performance.now()
    highest = Math.max(highest, now)
    await delay(LOOK_MS)
  }
  return highest
}

/** Reads a good piece from the beginning; returns the most memory that the API had meanwhile. */
async function readOn(api: DeployedApi, place: Place): Promise<number> {
  const socket = open(api, place)
  const received = { bytes: 0 }
  let highest = 0
  socket.on('data', (piece) => void (received.bytes += piece.length))
  while (received.bytes < WARM_BYTES && !socket.destroyed) {
    highest = Math.max(highest, residentMb(api.pid))
    await delay(LOOK_MS)
  }
  socket.destroy()
  return highest
}

async function openAndStall(api: DeployedApi, place: Place): Promise<Socket> {
  const socket = open(api, place)
  // Readable, but never read: the library takes one buffer full and no more.
  await new Promise((resolve) => socket.once('readable', resolve).once('close', resolve))
  return socket
}

function open({ url }: DeployedApi, { scopeId, tenantKey }: Place): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  const headers = { accept: 'text/event-stream' }
  socket.write(
    requestBytes(url, { path: `/api/scopes/${scopeId}/events?after=0`, bearer: tenantKey, headers }),
  )
  return socket
}
