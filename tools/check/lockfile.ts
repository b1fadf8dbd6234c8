// Holds package-lock.json to two promises: every package is pinned by a hash, and none says from which host it was
// fetched, so the same file installs from any registry.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Entry {
  link?: boolean
  inBundle?: boolean
  resolved?: string
  integrity?: string
}

export interface Lockfile {
  lockfileVersion?: number
  packages?: Record<string, Entry>
}

export function checkLockfile(lockfile: Lockfile): string[] {
  // Version 1 has no packages and would pass by being empty.
  if (lockfile.lockfileVersion !== 3 || lockfile.packages === undefined)
    return ['package-lock.json is not of version 3; run npm install with npm 11.']
  return Object.entries(lockfile.packages).flatMap(([path, entry]) => checkEntry(path, entry))
}

// The key is the place on disk: 'contract', 'node_modules/zod', 'service/node_modules/zod'.
function checkEntry(path: string, entry: Entry): string[] {
  // The root and the workspaces are folders of this repository, and a link points at one of them.
  if (!path.includes('node_modules/') && path !== 'node_modules') return []
  if (entry.link === true)
    return isFolder(entry.resolved) ? [] : [`${path} links to ${entry.resolved}, out of the repository.`]
  const faults: string[] = []
  if (entry.resolved !== undefined)
    faults.push(
      `${path} names where it was fetched; .npmrc sets omit-lockfile-registry-resolved, run npm install.`,
    )
  // A bundled package is part of its parent's archive and pinned by that hash.
  if (entry.inBundle !== true && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? ''))
    faults.push(`${path} has no sha512 integrity hash; remove it from the lockfile and run npm install.`)
  return faults
}

// A name without dots or a leading slash cannot leave the repository.
function isFolder(resolved: string | undefined): boolean {
  return resolved !== undefined && /^[\w-]+(\/[\w-]+)*$/.test(resolved)
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../../package-lock.json')
  const lockfile = JSON.parse(readFileSync(path, 'utf8')) as Lockfile
  const faults = checkLockfile(lockfile)
  for (const fault of faults) console.error(fault)
  console.log(`${Object.keys(lockfile.packages ?? {}).length} entries, ${faults.length} findings`)
  if (faults.length > 0) process.exitCode = 1
}
