/**
 * Lowers the priority of this process below all others. On Linux both the thread that reads and its session get a
 * niceness: the kernel shares cores between sessions first, and the niceness of a thread counts only within its
 * session. So a nice process also needs a session of its own; otherwise it would be nice to its siblings alone.
 *
 * A long-lived child lowers its priority once it is ready, because with low priority it would start slowly on a busy
 * machine. For a child that lives for a single task, `launch.ts` lowers the threads before the start, and this file
 * lowers the session. A nice child gets a tenth of the time of others, not the minimum, which on a busy machine is next
 * to nothing.
 */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** The argument that tells a child to lower its priority. */
export const NICE_ARGUMENT = 'nice'

/**
 * For a child that is nice from its start: it gets a third of the time of others, so that it starts within seconds also
 * on a busy machine.
 */
export const STARTING_NICENESS = 5

const NICENESS = constants.priority.PRIORITY_BELOW_NORMAL

export function lowerPriority(): void {
  tryTo(() => setPriority(0, NICENESS))
  tryTo(() => writeFileSync('/proc/self/autogroup', String(NICENESS)))
}

/** Some systems have no niceness or no sessions. A child works without them. */
function tryTo(act: () => void): void {
  try {
    act()
  } catch {
    // The child keeps its priority.
  }
}
