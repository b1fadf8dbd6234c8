// Waiting for a condition, never for a guess of how long something takes.
import { setTimeout as pause } from 'node:timers/promises'

/** True as soon as the condition holds, false when it did not within the given time. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  const deadline = Date.now() + withinMs
  for (let delay = 10; ; delay = Math.min(delay * 2, 200)) {
    if (await condition()) return true
    if (Date.now() >= deadline) return false
    await pause(delay)
  }
}
