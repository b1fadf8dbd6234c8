/** The memory of the workers themselves, looked at all the while: what their children are kept from, they must not do. */
import type { Fleet } from '../../harness/fleet.ts'
import { residentMb } from '../../harness/offspring.ts'

const LOOK_MS = 100

export function watchHosts(fleet: Fleet) {
  let peakMb = 0
  const timer = setInterval(() => {
    for (const member of fleet.members('worker')) {
      const pid = member.process()?.pid
      if (pid !== undefined) peakMb = Math.max(peakMb, residentMb(pid))
    }
  }, LOOK_MS)
  return {
    /** The most that any worker held at any look. */
    peakMb: () => peakMb,
    stop: () => clearInterval(timer),
  }
}
