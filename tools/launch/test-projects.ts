/**
 * Sorts the test files into the projects of vitest. A file that is named in the list of slow ones is slow. Another one
 * belongs to `db` when its imports lead to `tools/services`, directly or through the files of its package's `test`
 * folder, and to `unit` otherwise; so a new file needs no mark.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

export interface TestProjects {
  readonly unit: string[]
  readonly db: string[]
  readonly slow: string[]
}

/** An import of a value: a type starts no server. */
const IMPORT = /^(?:import|export) (?!type\b)[^']*?from '([^']+)'|^import '([^']+)'/gm

/** `patterns` find all test files below `root`, `slow` those of them that run in CI and on demand only. */
export function sortTests(root: string, patterns: readonly string[], slow: readonly string[]): TestProjects {
  const all = findFiles(root, patterns)
  const named = new Set(slow.flatMap((pattern) => filesNamed(root, pattern)))
  const others = all.filter((file) => !named.has(file))
  const needServers = serverFinder(root)
  return {
    unit: others.filter((file) => !needServers(file)),
    db: others.filter((file) => needServers(file)),
    slow: all.filter((file) => named.has(file)),
  }
}

/** Throws where there are none, so that the list cannot outlive what it names. */
function filesNamed(root: string, pattern: string): string[] {
  const files = findFiles(root, [pattern])
  if (files.length > 0) return files
  throw new Error(`The list SLOW of vitest.config.ts names ${pattern}, which does not exist. Take it out.`)
}

function findFiles(root: string, patterns: readonly string[]): string[] {
  const found = globSync([...patterns], { cwd: root, exclude: (name) => name === 'node_modules' })
  return found.map((file) => file.replaceAll('\\', '/')).toSorted()
}

/** Remembers what it has seen: the files of a `test` folder are imported by many. */
function serverFinder(root: string): (file: string) => boolean {
  const known = new Map<string, boolean>()
  const needServers = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    // A ring of imports ends here.
    known.set(file, false)
    const needs = importsOf(root, file).some(
      (target) => isServers(target) || (!target.startsWith('@') && needServers(target)),
    )
    known.set(file, needs)
    return needs
  }
  return needServers
}

/** Imports of the repository, without the product, which starts no server of tests. */
function importsOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(IMPORT)]
    .map(([, named, bare]) => named ?? bare ?? '')
    .flatMap((specifier) => {
      if (specifier.startsWith('@concord/tools/')) return [specifier]
      if (!specifier.startsWith('.')) return []
      const target = posix.join(dirname(file), specifier)
      return target.endsWith('.ts') && !target.includes('/src/') ? [target] : []
    })
}

function isServers(target: string): boolean {
  return /^@concord\/tools\/(services|testing)$|^tools\/(services\/index|launch\/testing)\.ts$/.test(target)
}
