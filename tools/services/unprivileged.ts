// Postgres refuses to run as root. Started by root it runs as another user, who must be able to reach
// its files; this room says who that is and finds a directory that user can enter.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunAs } from './processes.ts'

/** The user Postgres runs as: undefined (ourselves) unless we are root. */
export function postgresUser(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined
  const user = idsOf('postgres') ?? idsOf('nobody')
  if (user) return user
  throw new Error(
    'Postgres refuses to run as root, and there is no user "postgres" or "nobody". Run this as an ordinary user.',
  )
}

/** The directory itself when the user can enter it, otherwise the stand-in for it below the temporary directory. */
export function reachableHome(dir: string, runAs: RunAs | undefined): string {
  const isNew = !existsSync(dir)
  mkdirSync(dir, { recursive: true })
  // Set here and not by mkdir, which the umask would narrow.
  if (isNew) chmodSync(dir, runAs ? 0o711 : 0o700)
  if (!runAs || canEnter(dir, runAs)) return realpathSync(dir)
  const standIn = standInFor(dir)
  mkdirSync(standIn, { recursive: true })
  assertOwn(standIn)
  chmodSync(standIn, 0o711)
  if (canEnter(standIn, runAs)) return standIn
  throw new Error(
    `User ${runAs.uid}, as whom Postgres runs, can enter neither ${dir} nor ${standIn}. Set TMPDIR to a directory that everybody can enter.`,
  )
}

/** Named from a hash of the path, so that two clones of the repository never meet. */
export function standInFor(dir: string): string {
  const hash = createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 16)
  return join(realpathSync(tmpdir()), `concord-services-${hash}`)
}

/** Throws on a directory that someone else made, which is possible where everybody may create names. */
export function assertOwn(dir: string): void {
  const found = lstatSync(dir)
  if (found.isDirectory() && found.uid === process.getuid?.()) return
  throw new Error(`${dir} exists and belongs to someone else. Delete it, or set TMPDIR to another directory.`)
}

// Asks the system instead of reading mode bits, which would miss access lists and mount options.
function canEnter(dir: string, runAs: RunAs): boolean {
  const enter = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], {
    cwd: '/',
    env: {},
    stdio: 'ignore',
    ...runAs,
  })
  return enter.status === 0
}

function idsOf(name: string): RunAs | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}
