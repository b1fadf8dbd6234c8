/**
 * Makes a process give way to all others. On Linux that has to be said of every thread, and once more of its session:
 * cores are shared out between sessions first, and niceness counts only within one. So a process that is to give way
 * needs a session of its own, too; otherwise it would be nice to its siblings alone.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const NICENESS = constants.priority.PRIORITY_LOW

export function giveWay(pid: number): void {
  for (const thread of threadsOf(pid)) tryTo(() => setPriority(thread, NICENESS))
  tryTo(() => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS)))
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

/** It may be gone, or the system may not know of it; then there is nothing to be said. */
function tryTo(act: () => void): void {
  try {
    act()
  } catch {
    // Courtesy is not worth a failure.
  }
}
