// The figures that have a bound, each with what was measured and where it is exceeded.

import type { TreeFigures } from './measure-tree.ts'

export interface BoundedFigure {
  name: string
  measured: number
  bound: number
  /** The places beyond the bound, so that a reader knows where to go. */
  beyond: readonly string[]
}

// Walls, not aims: the house aims at files of 150 lines and functions of 20.
const bounds = { fileLines: 400, functionLines: 80, runtimeDependencies: 22 }

export function boundedFigures(tree: TreeFigures): BoundedFigure[] {
  const { runtimeDependencies } = tree
  return [
    fileLines(tree),
    functionLines(tree),
    none(
      'any',
      tree.files.flatMap((file) => file.any),
    ),
    none(
      'ts-ignore',
      tree.files.filter((file) => file.ignored > 0).map((file) => file.path),
    ),
    none(
      'module mocks',
      tree.files.flatMap((file) => file.mocks),
    ),
    none('import cycles', tree.cycles),
    none('shared type names', tree.sharedTypes),
    none(
      'maxima named most',
      tree.files.flatMap((file) => file.maxima),
    ),
    none('comments that are half a sentence', [
      ...tree.files.flatMap((file) => file.fragments),
      ...tree.fragments,
    ]),
    {
      name: 'runtime dependencies',
      measured: runtimeDependencies.length,
      bound: bounds.runtimeDependencies,
      beyond: runtimeDependencies.slice(bounds.runtimeDependencies),
    },
  ]
}

/** At the bound is within it. */
export function isExceeded(figure: BoundedFigure): boolean {
  return figure.measured > figure.bound
}

/** `any: 0 (0)`, and under it the places that are too many. */
export function formatFigure(figure: BoundedFigure): string {
  const line = `${figure.name}: ${figure.measured} (${figure.bound})`
  return [line, ...figure.beyond.map((place) => `  beyond the bound: ${place}`)].join('\n')
}

// Tests count too: a long test file hides what it covers as well as any other. What a tool writes, nobody reads through.
function fileLines(tree: TreeFigures): BoundedFigure {
  const bound = bounds.fileLines
  const written = tree.files.filter((file) => !file.path.includes('/generated/'))
  const beyond = written.filter((file) => file.lines.all > bound)
  return {
    name: 'largest file, lines',
    measured: Math.max(0, ...written.map((file) => file.lines.all)),
    bound,
    beyond: beyond.map((file) => `${file.path}, ${file.lines.all} lines`),
  }
}

// Callbacks without a name count here, though not in the medians: a long one is as hard to read.
function functionLines(tree: TreeFigures): BoundedFigure {
  const bound = bounds.functionLines
  const functions = tree.files.flatMap((file) => file.functions).filter((size) => !size.testBody)
  const beyond = functions.filter((size) => size.lines > bound)
  return {
    name: 'largest function, lines',
    measured: Math.max(0, ...functions.map((size) => size.lines)),
    bound,
    beyond: beyond.map((size) => `${size.file}:${size.line} ${size.name}, ${size.lines} lines`),
  }
}

function none(name: string, places: readonly string[]): BoundedFigure {
  return { name, measured: places.length, bound: 0, beyond: places }
}
