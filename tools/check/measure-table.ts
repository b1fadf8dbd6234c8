// Lays the figures of a tree out as a table, one row per package and one for all. Sizes of files and functions are
// those of the source without its tests; unnamed callbacks are left out of the medians, not out of the bounds.

import type { FileFigures } from './measure-tree.ts'

/** Packages that test the others as a whole; in the ratio of tests to code all their lines are tests. */
const testPackages = new Set(['acceptance', 'proof'])

const head = [
  'package',
  'files',
  'lines',
  'file med/p90/max',
  'functions',
  'fn med/p90/max',
  'comments',
  'test files',
  'test lines',
  'test:code',
  'any',
  'ts-ignore',
  'expect-error',
  'mocks',
]

export function figureTable(files: readonly FileFigures[]): string {
  const packages = [...new Set(files.map((file) => file.package))].toSorted()
  const rows = packages.map((name) =>
    figureRow(
      name,
      files.filter((file) => file.package === name),
    ),
  )
  return align([head, ...rows, figureRow('all', files)])
}

function figureRow(name: string, files: readonly FileFigures[]): string[] {
  const source = files.filter((file) => !file.test)
  const tests = files.filter((file) => file.test)
  const named = source.flatMap((file) => file.functions).filter((size) => size.name !== '')
  const lines = sum(source, (file) => file.lines.all)
  const comments = sum(source, (file) => file.lines.comment)
  return [
    name,
    `${source.length}`,
    `${lines}`,
    spread(source.map((file) => file.lines.all)),
    `${named.length}`,
    spread(named.map((size) => size.lines)),
    lines === 0 ? '–' : `${Math.round((comments / lines) * 100)} %`,
    `${tests.length}`,
    `${sum(tests, (file) => file.lines.all)}`,
    testRatio(files),
    `${sum(files, (file) => file.any.length)}`,
    `${sum(files, (file) => file.ignored)}`,
    `${sum(files, (file) => file.expectedErrors)}`,
    `${sum(files, (file) => file.mocks.length)}`,
  ]
}

// Compares lines of code, blanks and comments left out on both sides.
function testRatio(files: readonly FileFigures[]): string {
  const tests = sum(
    files.filter((file) => file.test || testPackages.has(file.package)),
    (file) => file.lines.code,
  )
  const code = sum(files, (file) => file.lines.code) - tests
  return code === 0 ? '–' : (tests / code).toFixed(2)
}

/** Median, 90th percentile and largest, by nearest rank. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  return `${rank(0.5)} / ${rank(0.9)} / ${rank(1)}`
}

function sum(files: readonly FileFigures[], figure: (file: FileFigures) => number): number {
  return files.reduce((total, file) => total + figure(file), 0)
}

// Plain columns: the output is read in terminals and pasted into pages.
function align(rows: readonly string[][]): string {
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  // The first column is a name and reads from the left; figures line up at the right.
  const cell = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(cell).join('  ')).join('\n')
}
