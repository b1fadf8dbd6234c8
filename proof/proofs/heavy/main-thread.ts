/** How much processor time the main threads of the workers used. Other work on the machine hardly changes it, unlike the time by the clock. */
import { readFileSync } from 'node:fs'
import type { Fleet } from '../../harness/fleet.ts'

/** The kernel counts in steps of a hundredth of a second. */
const TICK_MS = 10
/** The fields of user and system time, counted from the one after the name of the command. */
const TIMES = { from: 11, to: 13 }

export function mainThreadMs(fleet: Fleet): number {
  const pids = fleet.members('worker').flatMap((member) => member.process()?.pid ?? [])
  return pids.reduce((total, pid) => total + usedMs(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')), 0)
}

/** Reads a time of a line as `/proc/PID/task/TID/stat` has it; the name of the command may hold spaces and brackets. */
export function usedMs(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(TIMES.from, TIMES.to).reduce((total, ticks) => total + TICK_MS * Number(ticks), 0)
}
