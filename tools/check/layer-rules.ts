// The rules about single imports and uses, each a small function from one place in the code to a sentence or nothing.

import { isBuiltin } from 'node:module'
import type { ResolvedImport } from './import-graph.ts'
import { layerOfPath, roomOfPath } from './layer-table.ts'
import type { Layer } from './layer-table.ts'
import { isTest, packageOf } from './source-files.ts'
import type { RuleFinding, SourceFile } from './source-files.ts'
import { moduleMocks, processUses } from './uses.ts'

/** The packages that people install and run; the layers in these packages are bound by `alone uses`. */
export const productPackages: readonly string[] = [
  'contract',
  'reading',
  'reader-rules',
  'service',
  'client',
  'mcp',
  'cli',
]

/** Tests of any package may start the real servers and processes of their own. */
const openToTests = /^tools\/(?:services|launch)\//

/** All that one import can do wrong. The first broken rule is told; the next shows when it is mended. */
export function checkImport(layers: readonly Layer[], found: ResolvedImport): RuleFinding[] {
  const { file, line, target } = found
  const at = (rule: string, message: string): RuleFinding[] => [{ file: file.path, line, rule, message }]
  // Tools may load what they are told to; the product's modules are known before it starts.
  if (target === undefined) {
    if (!isBound(file)) return []
    return at('computed import', 'Write the path as a literal, so that this check can follow it.')
  }
  if (target.kind === 'missing')
    return at(
      'missing',
      `'${found.specifier}' leads to no file here; relative imports carry their extension.`,
    )
  if (target.kind === 'package')
    return [...checkOwner(layers, file, line, target.name), ...checkPurity(layers, found, target.name)]
  if (!target.byName && packageOf(target.path) !== packageOf(file.path))
    return at('package border', `Import ${packageOf(target.path)} by its package name, not by a path.`)
  if (isTest(target.path) && !isTest(file.path))
    return at('test import', `${target.path} is for tests alone; move what you need out of it.`)
  const refusal = isTest(file.path)
    ? refusalForTest(layers, file.path, target.path)
    : refusalForLayer(layers, found, target.path)
  return refusal === undefined ? [] : at('layer', refusal)
}

/** Every file that is not a test has a row in the table; tool configuration is nobody's. */
export function checkPlace(layers: readonly Layer[], file: SourceFile): RuleFinding[] {
  const exempt = isTest(file.path) || /\.config\.[mc]?[tj]s$/.test(file.path)
  if (exempt || layerOfPath(layers, file.path) !== undefined) return []
  const message = 'No row of the layer table holds this file; move it, or add a row to ARCHITECTURE.md.'
  return [{ file: file.path, line: 1, rule: 'place', message }]
}

/** Uses that no import shows. */
export function checkUses(layers: readonly Layer[], file: SourceFile): RuleFinding[] {
  const mocks = moduleMocks(file).map(({ name, line }) => ({
    file: file.path,
    line,
    rule: 'module mock',
    message: `${name} replaces a module; pass in what the code needs and give the test a real one.`,
  }))
  return [...mocks, ...processUses(file).flatMap(({ name, line }) => checkOwner(layers, file, line, name))]
}

function refusalForLayer(layers: readonly Layer[], found: ResolvedImport, path: string): string | undefined {
  const from = layerOfPath(layers, found.file.path)
  const to = layerOfPath(layers, path)
  // A file without a row has its own finding; an arrow from it would only repeat that.
  if (from === undefined || isOwnData(found.file.path, path)) return undefined
  if (from === to) return refusalBetweenRooms(from, found.file.path, path)
  if (to === undefined) return `${from.name} may not import ${path}, which belongs to no layer.`
  const permission = from.mayImport.get(to.name)
  if (permission === undefined)
    return `${from.name} may not import ${to.name}; see the table in ARCHITECTURE.md.`
  if (permission === 'types' && found.kind === 'runtime')
    return `${from.name} may import only types from ${to.name}; write \`import type { … }\` or take the value as an argument.`
  return undefined
}

function refusalBetweenRooms(layer: Layer, path: string, target: string): string | undefined {
  const from = roomOfPath(layer, path)
  const to = roomOfPath(layer, target)
  if (from === to) return undefined
  return `${layer.name} keeps its folders apart: ${from} may not import ${to}; move what both need below them.`
}

// The version in package.json, say: data beside the code, which belongs to the package and to no layer of it.
function isOwnData(from: string, path: string): boolean {
  return path.endsWith('.json') && packageOf(path) === packageOf(from)
}

// A test may look at all of its own package, since it is there to know the inside. Of other packages it sees no more
// than its package does, so a black-box suite stays one.
function refusalForTest(layers: readonly Layer[], from: string, path: string): string | undefined {
  const own = packageOf(from)
  if (packageOf(path) === own || openToTests.test(path)) return undefined
  const to = layerOfPath(layers, path)
  const ownLayers = layers.filter((layer) => packageOf(layer.folder) === own)
  if (to !== undefined && ownLayers.some((layer) => layer.mayImport.has(to.name))) return undefined
  return `a test of ${own} may not import ${path}, which is inside ${packageOf(path)}.`
}

// Counts types as well: a type of pg in the signature of a function ties its callers to pg all the same.
function checkOwner(layers: readonly Layer[], file: SourceFile, line: number, used: string): RuleFinding[] {
  if (!isBound(file)) return []
  const name = isBuiltin(used) && !used.startsWith('node:') ? `node:${used}` : used
  // Two layers may both name a thing; each of them is then an owner.
  const owners = layers.filter((layer) => layer.aloneUses.some((pattern) => matches(pattern, name)))
  const layer = layerOfPath(layers, file.path)
  if (owners.length === 0 || owners.some((owner) => owner === layer)) return []
  const message = `only ${owners.map((owner) => owner.name).join(' and ')} may use ${name}; ask that layer for what you need.`
  return [{ file: file.path, line, rule: 'alone uses', message }]
}

// Types cost nothing at run time and are allowed; a module that is loaded may read files or the clock.
function checkPurity(layers: readonly Layer[], found: ResolvedImport, name: string): RuleFinding[] {
  const layer = layerOfPath(layers, found.file.path)
  if (layer === undefined || layer.packages || found.kind === 'types' || isTest(found.file.path)) return []
  const message = `${layer.name} is pure and may not load ${name}; take what it gives as an argument.`
  return [{ file: found.file.path, line: found.line, rule: 'no packages', message }]
}

function isBound(file: SourceFile): boolean {
  return productPackages.includes(packageOf(file.path)) && !isTest(file.path)
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
