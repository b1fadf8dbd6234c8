/** The memory of the workers themselves, looked at all the while: what their children are kept from, they must not do. */
import { readFileSync } from 'node:fs'
import type { Fleet } from '../../harness/fleet.ts'

export interface HostWatch {
  /** The most that any worker held at any look. */
  peakMb(): number
  stop(): void
}

const LOOK_MS = 100

export function watchHosts(fleet: Fleet): HostWatch {
  let peakMb = 0
  const timer = setInterval(() => {
    for (const member of fleet.members('worker')) {
      const pid = member.process()?.pid
      if (pid !== undefined) peakMb = Math.max(peakMb, residentMb(pid))
    }
  }, LOOK_MS)
  return { peakMb: () => peakMb, stop: () => clearInterval(timer) }
}

function residentMb(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}
