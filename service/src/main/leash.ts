/**
 * Binds a worker to the hatchery that started it: a word a second that it is alive, over the channel between parent
 * and child, so that a hung worker is noticed even while the broker is away. When the hatchery is gone the worker finishes
 * what it has in hand and goes as well: the next hatchery starts its own.
 */
import type { Part } from '../platform/lifecycle.ts'

const EVERY_MS = 1_000

function goToo(): void {
  process.kill(process.pid, 'SIGTERM')
}

export function createLeash(id: string): Part {
  let timer: NodeJS.Timeout | undefined
  const say = () => {
    // A channel that breaks at this moment is told by its end.
    if (process.connected) process.send?.({ alive: id }, undefined, undefined, () => undefined)
  }
  return {
    name: 'leash',
    async start() {
      process.once('disconnect', goToo)
      say()
      timer = setInterval(say, EVERY_MS)
    },
    // It says so until its end: whoever drains is slow, not hung.
    async stop() {
      timer?.unref()
      process.off('disconnect', goToo)
    },
  }
}
