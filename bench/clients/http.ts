/**
 * POST /api/ingest over bare sockets, kept open, one request in flight on each: a client that costs as little as a Node
 * client can, so that on a small machine the figure is that of the server. The request is built once for each socket;
 * only the number in the document's name changes.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { textOf } from '../src/client.ts'
import type { Client, ClientOrder, Lane } from '../src/client.ts'

const DIGITS = 12
const NOTHING = Buffer.alloc(0)

export async function open(order: ClientOrder): Promise<Client> {
  const url = new URL(order.target['url'] ?? '')
  const sockets = await Promise.all(Array.from({ length: order.inFlight }, () => openSocket(url)))
  let sent = 0
  const lanes = sockets.map((socket) => createLane(socket, requestOf(url, order), () => (sent += 1)))
  return { lanes, close: async () => sockets.forEach((socket) => socket.destroy()) }
}

async function openSocket(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  socket.setNoDelay(true)
  await once(socket, 'connect')
  return socket
}

function requestOf(url: URL, { target, bytes }: ClientOrder): Buffer {
  const body = JSON.stringify({
    name: `Document ${'0'.repeat(DIGITS)}`,
    scope_id: target['scopeId'],
    text: textOf(bytes),
  })
  return Buffer.from(
    [
      'POST /api/ingest HTTP/1.1',
      `Host: ${url.host}`,
      'Content-Type: application/json',
      `X-Tenant-ID: ${target['tenantId']}`,
      `Authorization: Bearer ${target['key']}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}

function createLane(socket: Socket, request: Buffer, next: () => number): Lane {
  const numberAt = request.indexOf('"Document ') + '"Document '.length
  let received: Buffer = NOTHING
  let answered: ((committed: number) => void) | undefined
  const take = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const status = completeStatus(received)
    if (status === undefined) return
    received = NOTHING
    answered?.(status === 202 ? 1 : 0)
  }
  socket.on('data', take)
  socket.on('error', () => answered?.(0))
  socket.on('close', () => answered?.(0))
  return () =>
    new Promise((resolve) => {
      answered = resolve
      // Safe to change in place: the request before has been answered, so it has been sent.
      request.write(String(next()).padStart(DIGITS, '0'), numberAt, 'latin1')
      socket.write(request)
    })
}

/** The status, once the whole answer has arrived. */
function completeStatus(received: Buffer): number | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = received.toString('latin1', 0, end)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (received.length < end + 4 + length) return undefined
  return Number(head.slice(9, 12))
}
