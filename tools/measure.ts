// Prints the figures of the code: sizes, comments, tests, and what must be zero. With --check it exits non-zero when
// a figure is beyond its bound.

import { join } from 'node:path'
import { boundedFigures, formatFigure, isExceeded } from './check/measure-bounds.ts'
import { figureTable } from './check/measure-table.ts'
import { measureTree } from './check/measure-tree.ts'
import type { TreeFigures } from './check/measure-tree.ts'

const shown = 5

function largestFunctions(tree: TreeFigures): string[] {
  const functions = tree.files.flatMap((file) => file.functions).filter((size) => !size.testBody)
  const largest = functions.toSorted((a, b) => b.lines - a.lines).slice(0, shown)
  return largest.map((size) => `  ${size.lines} lines  ${size.file}:${size.line} ${size.name}`)
}

function largestFiles(tree: TreeFigures): string[] {
  const largest = tree.files.toSorted((a, b) => b.lines.all - a.lines.all).slice(0, shown)
  return largest.map((file) => `  ${file.lines.all} lines  ${file.path}`)
}

if (import.meta.main) {
  const tree = measureTree(join(import.meta.dirname, '..'))
  const figures = boundedFigures(tree)
  const sections = [
    figureTable(tree.files),
    ['largest functions', ...largestFunctions(tree)].join('\n'),
    ['largest files', ...largestFiles(tree)].join('\n'),
    ['figure: measured (bound)', ...figures.map(formatFigure)].join('\n'),
  ]
  console.log(sections.join('\n\n'))
  if (process.argv.includes('--check') && figures.some(isExceeded)) process.exitCode = 1
}
