// Says where an import leads: to a file of this tree, or to a package outside it. It knows just the two forms the
// house uses, relative paths with their extension and workspace packages by name, and reports anything else as missing.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

export type ImportTarget =
  | { kind: 'file'; path: string; byName: boolean }
  | { kind: 'package'; name: string }
  | { kind: 'missing' }

interface Manifest {
  name?: string
  main?: string
  exports?: unknown
  workspaces?: string[]
}

/** Workspace packages by name: '@concord/contract' → 'contract'. */
export type Workspaces = ReadonlyMap<string, string>

export function readWorkspaces(root: string): Workspaces {
  const folders = (manifestOf(root, '').workspaces ?? []).filter((folder) =>
    existsSync(join(root, folder, 'package.json')),
  )
  return new Map(folders.map((folder) => [manifestOf(root, folder).name ?? folder, folder]))
}

export function resolveImport(
  root: string,
  workspaces: Workspaces,
  from: string,
  specifier: string,
): ImportTarget {
  if (specifier.startsWith('.')) return fileAt(root, posix.join(posix.dirname(from), specifier), false)
  const name = packageName(specifier)
  const folder = workspaces.get(name)
  if (folder === undefined) return { kind: 'package', name }
  const subpath = specifier.slice(name.length + 1)
  return fileAt(root, join(folder, entryPath(manifestOf(root, folder), subpath)), true)
}

// '@scope/name/sub' → '@scope/name'; 'name/sub' → 'name'; 'node:fs/promises' → 'node:fs'.
function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function fileAt(root: string, path: string, byName: boolean): ImportTarget {
  const full = join(root, path)
  if (!existsSync(full) || !statSync(full).isFile()) return { kind: 'missing' }
  return { kind: 'file', path, byName }
}

// A package without `exports` is open: its subpaths are its files.
function entryPath(manifest: Manifest, subpath: string): string {
  const { exports } = manifest
  if (exports === undefined) return subpath === '' ? (manifest.main ?? 'index.ts') : subpath
  const key = subpath === '' ? '.' : `./${subpath}`
  if (typeof exports === 'string') return key === '.' ? exports : 'not exported'
  const entries = Object.entries(exports ?? {})
  for (const [pattern, target] of entries) {
    const [before = '', after] = pattern.split('*')
    if (after === undefined ? pattern === key : key.startsWith(before) && key.endsWith(after))
      return firstPath(target).replace('*', key.slice(before.length, key.length - (after ?? '').length))
  }
  return 'not exported'
}

// A target may be a path or a record of conditions; the house writes one file per entry, so any condition will do.
function firstPath(target: unknown): string {
  if (typeof target === 'string') return target
  const [first] = Object.values(target ?? {})
  return first === undefined ? 'not exported' : firstPath(first)
}

function manifestOf(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}
