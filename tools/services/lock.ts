// One run at a time per directory: a lock file that names its holder, so that the lock of a dead run is
// recognised and removed. Two runs that find the same dead lock cannot both take it.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processBirth } from './processes.ts'
import { waitUntil } from './waiting.ts'

interface Holder {
  readonly pid: number
  readonly birth: string
  readonly token: string
}

// The first run of all may fetch a server and create a cluster; others wait for it.
const TIMEOUT_MS = 180_000

export async function withLock<T>(dir: string, work: () => Promise<T>, patienceMs = TIMEOUT_MS): Promise<T> {
  const lock = join(dir, 'lock')
  const me = {
    pid: process.pid,
    birth: processBirth(process.pid) ?? '',
    token: randomBytes(8).toString('hex'),
  }
  if (!(await waitUntil(() => tryTake(lock, me), patienceMs))) throw new Error(heldTooLong(lock))
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function tryTake(lock: string, me: Holder): boolean {
  const draft = `${lock}.${me.token}`
  writeFileSync(draft, JSON.stringify(me), { mode: 0o600 })
  try {
    // A link appears with its content, or not at all: no one can see a lock without a holder.
    linkSync(draft, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    removeIfDead(lock)
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Removes the lock of a dead holder. Whoever first makes the link named after that holder may do it; a slower
 * run, which would now remove the lock of a living one, fails at the link or sees another holder behind it.
 */
function removeIfDead(lock: string): void {
  const holder = readHolder(lock)
  if (!holder || processBirth(holder.pid) === holder.birth) return
  const grave = `${lock}.dead.${holder.token}`
  try {
    linkSync(lock, grave)
  } catch {
    return
  }
  if (readHolder(grave)?.token === holder.token) rmSync(lock, { force: true })
  rmSync(grave, { force: true })
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function heldTooLong(lock: string): string {
  const pid = readHolder(lock)?.pid
  return `Another run (pid ${pid ?? 'unknown'}) holds ${lock}. Wait for it, or end it; if there is none, delete ${lock}*.`
}
