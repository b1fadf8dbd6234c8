// Measures a tree: every file, and what can be said only of the whole.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Visitor } from 'oxc-parser'
import { committedFiles } from './committed-text.ts'
import { importCycles, resolveImports } from './import-graph.ts'
import { productPackages } from './layer-rules.ts'
import { functionsOf } from './measure-functions.ts'
import type { FunctionSize } from './measure-functions.ts'
import { countLines, suppressions } from './measure-lines.ts'
import type { LineCount } from './measure-lines.ts'
import { isTest, packageOf, readSourceFiles } from './source-files.ts'
import type { SourceFile } from './source-files.ts'
import { moduleMocks } from './uses.ts'
import {
  commentFragments,
  exportedTypes,
  lineCommentFragments,
  maximaWithoutMax,
  sharedTypeNames,
} from './words.ts'
import type { ExportedType } from './words.ts'

export interface FileFigures {
  path: string
  package: string
  test: boolean
  lines: LineCount
  functions: readonly FunctionSize[]
  /** Places, as file:line. */
  any: readonly string[]
  /** Orders to the type checker to look away that would outlive their reason. */
  ignored: number
  expectedErrors: number
  mocks: readonly string[]
  exportedTypes: readonly ExportedType[]
  /** Names of maxima that do not begin with `max`. */
  maxima: readonly string[]
  /** Comments that begin as half a sentence. */
  fragments: readonly string[]
}

/** The figures over all files together. */
export interface TreeFigures {
  files: readonly FileFigures[]
  cycles: readonly string[]
  runtimeDependencies: readonly string[]
  /** Names that two exported types share. */
  sharedTypes: readonly string[]
  /** Comments in SQL and YAML that begin as half a sentence. A migration stays as it is, for its checksum. */
  fragments: readonly string[]
}

export function measureTree(root: string): TreeFigures {
  const files = readSourceFiles(root)
  const measured = files.map(measureFile)
  return {
    files: measured,
    sharedTypes: sharedTypeNames(measured.flatMap((file) => file.exportedTypes)),
    fragments: committedFiles(root)
      .filter((path) => /\.(sql|ya?ml|sh)$/.test(path) && !path.startsWith('service/migrations/'))
      .flatMap((path) => lineCommentFragments(path, readFileSync(join(root, path), 'utf8'))),
    cycles: importCycles(resolveImports(root, files)).map((cycle) => cycle.message),
    runtimeDependencies: runtimeDependencies(root),
  }
}

export function measureFile(file: SourceFile): FileFigures {
  return {
    path: file.path,
    // Configuration at the root belongs to no package.
    package: file.path.includes('/') ? packageOf(file.path) : '(root)',
    test: isTest(file.path),
    lines: countLines(file),
    functions: functionsOf(file),
    any: anyTypes(file),
    ignored: suppressions(file, 'ignore') + suppressions(file, 'nocheck'),
    expectedErrors: suppressions(file, 'expect-error'),
    mocks: moduleMocks(file).map(({ line }) => `${file.path}:${line}`),
    exportedTypes: exportedTypes(file),
    maxima: maximaWithoutMax(file),
    fragments: commentFragments(file),
  }
}

// From the syntax tree, so that the word in a sentence or a name is not counted.
function anyTypes(file: SourceFile): string[] {
  const found: string[] = []
  new Visitor({
    TSAnyKeyword: (node) => void found.push(`${file.path}:${file.lineAt(node.start)}`),
  }).visit(file.program)
  return found
}

// The packages that a user of the product installs beside it; the house's own packages and the tools are not that.
function runtimeDependencies(root: string): string[] {
  const manifests = productPackages.map((folder) => join(root, folder, 'package.json')).filter(existsSync)
  const names = manifests.flatMap((path) => {
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { dependencies?: Record<string, string> }
    return Object.keys(manifest.dependencies ?? {})
  })
  return [...new Set(names)].filter((name) => !name.startsWith('@concord/')).toSorted()
}
