// Holds the code to the layer table of ARCHITECTURE.md: who may import whom, who alone may use what, no rings of
// imports, no module mocks. Prints every finding as file:line; exits non-zero when there is one.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRings } from './cycles.ts'
import { importCycles, resolveImports } from './import-graph.ts'
import { checkImport, checkPlace, checkUses } from './layer-rules.ts'
import { parseLayerTable } from './layer-table.ts'
import type { Layer } from './layer-table.ts'
import { formatFinding, readSourceFiles } from './source-files.ts'
import type { RuleFinding } from './source-files.ts'

export function checkLayers(root: string): RuleFinding[] {
  const layers = parseLayerTable(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))
  const files = readSourceFiles(root)
  const imports = resolveImports(root, files)
  return [
    ...checkTable(layers),
    ...files.flatMap((file) => [...checkPlace(layers, file), ...checkUses(layers, file)]),
    ...imports.flatMap((found) => checkImport(layers, found)),
    ...importCycles(imports),
  ]
}

// Arrows that lead back would make every rule below them void, so the table itself may hold no ring.
function checkTable(layers: readonly Layer[]): RuleFinding[] {
  const graph = new Map(layers.map((layer) => [layer.name, new Set(layer.mayImport.keys())]))
  return findRings(graph).map((ring) => ({
    file: 'ARCHITECTURE.md',
    line: 1,
    rule: 'table',
    message: `The layers ${[...ring, ring[0]].join(' → ')} form a ring; take one arrow out.`,
  }))
}

if (import.meta.main) {
  const findings = checkLayers(join(import.meta.dirname, '../..'))
  for (const finding of findings) console.error(formatFinding(finding))
  console.log(`${findings.length} findings`)
  if (findings.length > 0) process.exitCode = 1
}
