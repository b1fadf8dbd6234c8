/**
 * Tells when whoever started this program is gone: npm, or the shell that npm puts in between. Neither passes on a signal that
 * kills it at once, so what they started has to look.
 */
import { readFileSync } from 'node:fs'

const EVERY_MS = 500

/** Calls back once. Without npm nobody is watched: a program in the background may outlive its shell. */
export function watchStarters(environment: NodeJS.ProcessEnv, onGone: () => void): void {
  if (environment['npm_lifecycle_event'] === undefined) return
  const first = starters()
  const timer = setInterval(() => {
    if (starters() === first) return
    clearInterval(timer)
    onGone()
  }, EVERY_MS)
  timer.unref()
}

/** A process whose parent has ended gets another one, so it is enough to compare who is whose parent. */
function starters(): string {
  const parent = process.ppid
  return isShell(parent) ? `${parent} of ${parentOf(parent)}` : String(parent)
}

/** Known on Linux alone; elsewhere the parent alone is watched. */
function isShell(pid: number): boolean {
  return /^\w*sh$/m.test(readProcess(pid, 'comm'))
}

function parentOf(pid: number): string | undefined {
  return /^PPid:\s+(\d+)$/m.exec(readProcess(pid, 'status'))?.[1]
}

function readProcess(pid: number, file: 'comm' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
