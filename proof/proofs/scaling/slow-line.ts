/**
 * A line to Postgres that takes its time: so a worker is bound by waiting and not by the processor, and several of them do
 * several times as much on a machine that has only two.
 */
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

export interface SlowLine {
  /** The same address, by way of this line. */
  readonly url: string
  close(): Promise<void>
}

export async function openSlowLine(url: string, delayMs: number): Promise<SlowLine> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    for (const socket of [near, far]) sockets.add(socket)
    carry(near, far, delayMs)
    carry(far, near, delayMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const slow = new URL(url)
  slow.hostname = '127.0.0.1'
  slow.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: slow.href,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Timers of the same length end in the order in which they began, so nothing overtakes. */
function carry(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (bytes) => void setTimeout(() => !to.destroyed && to.write(bytes), delayMs))
  from.on('error', () => to.destroy())
  from.on('close', () => void setTimeout(() => to.destroy(), delayMs))
}
