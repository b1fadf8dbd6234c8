// The graph of imports between the files of a tree, and the rings in it.

import { findRings, knots } from './cycles.ts'
import type { Graph } from './cycles.ts'
import { importsOf } from './imports.ts'
import type { Import } from './imports.ts'
import { readWorkspaces, resolveImport } from './resolve.ts'
import type { ImportTarget } from './resolve.ts'
import type { RuleFinding, SourceFile } from './source-files.ts'

export interface ResolvedImport extends Import {
  file: SourceFile
  /** Undefined where the program computes the path. */
  target: ImportTarget | undefined
}

export function resolveImports(root: string, files: readonly SourceFile[]): ResolvedImport[] {
  const workspaces = readWorkspaces(root)
  return files.flatMap((file) =>
    importsOf(file).map((found) => {
      const { specifier } = found
      const target =
        specifier === undefined ? undefined : resolveImport(root, workspaces, file.path, specifier)
      return { ...found, file, target }
    }),
  )
}

/**
 * Rings of imports. A ring that exists at run time is told apart from one that only types close: the first breaks
 * the order in which modules load, the second just knots two files into one thought. Both are findings.
 */
export function importCycles(imports: readonly ResolvedImport[]): RuleFinding[] {
  const runtime = graphOf(imports.filter((found) => found.kind === 'runtime'))
  const all = graphOf(imports)
  const known = new Set(knots(runtime).flat())
  const typeRings = findRings(all).filter((ring) => !ring.every((path) => known.has(path)))
  return [
    ...findRings(runtime).map((ring) => ringFinding(imports, ring, 'cycle')),
    ...typeRings.map((ring) => ringFinding(imports, ring, 'cycle of types')),
  ]
}

function graphOf(imports: readonly ResolvedImport[]): Graph {
  const graph = new Map<string, Set<string>>()
  for (const { file, target } of imports)
    if (target?.kind === 'file') graph.set(file.path, (graph.get(file.path) ?? new Set()).add(target.path))
  return graph
}

// The place is the first arrow of the ring: cutting any of them would do, and one must be named.
function ringFinding(imports: readonly ResolvedImport[], ring: readonly string[], rule: string): RuleFinding {
  const [first = '', second = first] = ring
  const arrow = imports.find(
    ({ file, target }) => file.path === first && target?.kind === 'file' && target.path === second,
  )
  const way = [...ring, first].join(' → ')
  const message = `${way}. Move what they share into a file that imports none of them.`
  return { file: first, line: arrow?.line ?? 1, rule, message }
}
