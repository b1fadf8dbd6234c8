import { readFileSync } from 'node:fs'

/** Whether a process runs. One that has ended is listed for as long as nobody asked how, and runs no more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !isUnburied(pid)
}

/** Known on Linux alone. */
function isUnburied(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
