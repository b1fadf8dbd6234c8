/**
 * The heartbeat of a worker to the process that started it, once a second over the channel between parent and child, so that the
 * parent notices a hung worker even while the broker is away. When the parent is gone, the worker finishes the documents in flight and
 * exits: the next parent starts workers of its own.
 */
import type { Part } from '../platform/lifecycle.ts'

const EVERY_MS = 1_000

function stopSelf(): void {
  process.kill(process.pid, 'SIGTERM')
}

export function createParentHeartbeat(id: string): Part {
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    // A channel that breaks at this moment raises `disconnect`.
    if (process.connected) process.send?.({ alive: id }, undefined, undefined, () => undefined)
  }
  return {
    name: 'parent heartbeat',
    async start() {
      process.once('disconnect', stopSelf)
      send()
      timer = setInterval(send, EVERY_MS)
    },
    // The heartbeats go on until the exit: a worker that drains is slow, not hung.
    async stop() {
      timer?.unref()
      process.off('disconnect', stopSelf)
    },
  }
}
