/**
 * Makes this process give way to all others. On Linux that is said of the thread that reads, and once more of its
 * session: cores are shared out between sessions first, and niceness counts only within one. So a process that is to give
 * way needs a session of its own, too; otherwise it would be nice to its siblings alone.
 *
 * A child that serves for long says it once it is up, because on a busy machine it would take long to come up. The threads of one that lives
 * for a single task are lowered before (`launch.ts`), its session here.
 * A child asks for a tenth of what others get, not for the least there is, which on a busy machine is next to nothing.
 */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** The argument that asks a child for it. */
export const GIVES_WAY = 'gives-way'

/** For a child from its start: a third of what others get, so that also on a busy machine it comes up within seconds. */
export const STARTING_NICENESS = 5

const NICENESS = constants.priority.PRIORITY_BELOW_NORMAL

export function giveWay(): void {
  tryTo(() => setPriority(0, NICENESS))
  tryTo(() => writeFileSync('/proc/self/autogroup', String(NICENESS)))
}

/** The system may not know of it. Courtesy is not worth a failure. */
function tryTo(act: () => void): void {
  try {
    act()
  } catch {
    // Then there is nothing to be said.
  }
}
