/** The API processes and the children in which they read files, looked at all the while: how many there are and what memory they hold. */
import type { Fleet } from '../../harness/fleet.ts'
import { childrenOf, isAlive, residentMb } from '../../harness/offspring.ts'
import type { Offspring } from '../../harness/offspring.ts'

const LOOK_MS = 25

export function watchProcesses(fleet: Fleet) {
  const seen = new Map<string, Offspring>()
  let [apiMb, childMb] = [0, 0]
  const look = () => {
    for (const member of fleet.members('api')) {
      const pid = member.process()?.pid
      if (pid === undefined) continue
      apiMb = Math.max(apiMb, residentMb(pid))
      for (const child of childrenOf(pid)) {
        seen.set(`${child.pid} ${child.birth}`, child)
        childMb = Math.max(childMb, residentMb(child.pid))
      }
    }
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    /** The most that any of them held at any look. */
    apiMb: () => apiMb,
    childMb: () => childMb,
    /** Children that were met, each counted once. */
    children: () => seen.size,
    left: () => [...seen.values()].filter(isAlive).map(({ pid }) => `process ${pid}`),
    stop: () => clearInterval(timer),
  }
}
