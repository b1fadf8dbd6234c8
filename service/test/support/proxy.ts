/** A TCP proxy in front of a real server, so that a test can break the network between the two. */
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

export interface Proxy {
  readonly port: number
  /** Cuts every open connection with RST, as a crashed host or a firewall does. */
  reset(): void
  /** Ends every open connection in order, without a word of the protocol behind it. */
  end(): void
  /** Carries nothing any more, and keeps every connection open, as a host that hangs does. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** On any free port, or on the one of a proxy that was closed before. */
export async function openProxy(
  target: { readonly host: string; readonly port: number },
  port = 0,
): Promise<Proxy> {
  const open = new Set<Socket>()
  const pairs = new Map<Socket, Socket>()
  const server = createServer((socket) => {
    const upstream = connect(target.port, target.host)
    open.add(socket)
    pairs.set(socket, upstream)
    for (const each of [socket, upstream]) each.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      pairs.delete(socket)
      upstream.destroy()
    })
    upstream.on('close', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    reset: () => open.forEach((socket) => socket.resetAndDestroy()),
    end: () => open.forEach((socket) => socket.end()),
    freeze: () =>
      pairs.forEach((upstream, socket) => [socket, upstream].forEach((each) => each.unpipe().pause())),
    thaw: () => pairs.forEach((upstream, socket) => void socket.pipe(upstream).pipe(socket)),
    async close() {
      open.forEach((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
