// Each figure is taken from a small text whose true value can be counted by eye.

import { describe, expect, it } from 'vitest'
import { boundedFigures, formatFigure, isExceeded } from './measure-bounds.ts'
import { figureTable, spread } from './measure-table.ts'
import { measureFile } from './measure-tree.ts'
import type { TreeFigures } from './measure-tree.ts'
import { parseSource } from './source-files.ts'

const measure = (text: string, path = 'service/src/app/x.ts') => measureFile(parseSource(path, text))

function treeOf(...files: ReturnType<typeof measure>[]): TreeFigures {
  return { files, cycles: [], runtimeDependencies: [], sharedTypes: [], fragments: [] }
}

function exceeded(tree: TreeFigures): string[] {
  return boundedFigures(tree).filter(isExceeded).map(formatFigure)
}

const longArrow = (name: string, lines: number): string => `${name} () => {\n${'f()\n'.repeat(lines - 2)}}`

describe('lines', () => {
  it('are code, comment or blank, and a comment beside code is code', () => {
    const text = `// why\n\nconst a = 1 // why\n/* one\n\n two */\nconst b = '// not a comment'\n`
    expect(measure(text).lines).toEqual({ all: 7, code: 2, comment: 3 })
  })
})

describe('functions', () => {
  it('are named by what holds them, and contain what is nested in them', () => {
    const text = `function outer() {\n  const inner = () => {\n    return 1\n  }\n}\nclass C {\n  method() {}\n  field = () => 1\n}\nconst o = { entry: () => 1 }\nrun(() => 1)`
    const sizes = measure(text).functions.map(({ name, line, lines }) => [name, line, lines])
    expect(sizes).toEqual([
      ['outer', 1, 5],
      ['inner', 2, 3],
      ['method', 7, 1],
      ['field', 8, 1],
      ['entry', 10, 1],
      ['', 11, 1],
    ])
  })

  it('beyond 80 lines are refused with their place, named or not', () => {
    expect(exceeded(treeOf(measure(longArrow('const f =', 80))))).toEqual([])
    const [figure] = exceeded(treeOf(measure(longArrow('\nconst f =', 81))))
    expect(figure).toContain('largest function, lines: 81 (80)')
    expect(figure).toContain('service/src/app/x.ts:2 f, 81 lines')
    expect(exceeded(treeOf(measure(`${longArrow('run(', 81)})`)))).toHaveLength(1)
  })

  it('that are the bodies of tests may be longer, what they call may not', () => {
    const path = 'service/src/app/x.test.ts'
    for (const call of [`it('x',`, `describe.each([1])('x',`, `test.concurrent('x',`])
      expect(exceeded(treeOf(measure(`${longArrow(call, 90)})`, path)))).toEqual([])
    expect(exceeded(treeOf(measure(longArrow('const start =', 90), path)))).toHaveLength(1)
  })
})

describe('what must be zero', () => {
  it('any is counted as a type, not as a word', () => {
    const figures = measure(`const any = 'any' // any\n\nlet a: any\nconst b = a as any\nlet c: any[]`)
    expect(figures.any).toEqual([3, 4, 5].map((line) => `service/src/app/x.ts:${line}`))
    expect(exceeded(treeOf(figures))[0]).toMatch(/^any: 3 \(0\)\n.*x\.ts:3/)
  })

  it('orders to the type checker to look away are counted, and only the unchecked kind is refused', () => {
    const ignored = measure(`// @ts-ignore\nf()\n// @ts-nocheck\nconst s = '@ts-ignore'`)
    expect(ignored.ignored).toBe(2)
    expect(exceeded(treeOf(ignored))).toHaveLength(1)
    const expected = measure(`// @ts-expect-error: the type refuses it, which is the point\nf(1)`)
    expect(expected).toMatchObject({ ignored: 0, expectedErrors: 1 })
    expect(exceeded(treeOf(expected))).toEqual([])
  })

  it('module mocks and cycles are refused', () => {
    const figures = measure(`vi.mock('pg')`, 'service/src/app/x.test.ts')
    const faults = exceeded({ ...treeOf(figures), cycles: ['a → b → a'] })
    expect(faults.map((fault) => fault.split('\n')[0])).toEqual([
      'module mocks: 1 (0)',
      'import cycles: 1 (0)',
    ])
  })
})

describe('words', () => {
  it('are refused where two types share a name or a maximum is called most', () => {
    const figures = measure(`const mostWords = 1`)
    const faults = exceeded({ ...treeOf(figures), sharedTypes: ['Token: a.ts:1, b.ts:1'] })
    expect(faults.map((fault) => fault.split('\n')[0])).toEqual([
      'shared type names: 1 (0)',
      'maxima named most: 1 (0)',
    ])
  })
})

describe('bounds', () => {
  it('refuse a file of 401 lines and accept one of 400', () => {
    expect(exceeded(treeOf(measure('f()\n'.repeat(400))))).toEqual([])
    expect(exceeded(treeOf(measure('f()\n'.repeat(401))))[0]).toContain('service/src/app/x.ts, 401 lines')
  })

  it('refuse the 23rd runtime dependency and name it', () => {
    const names = Array.from({ length: 23 }, (_, index) => `package-${index}`)
    expect(exceeded({ ...treeOf(), runtimeDependencies: names.slice(0, 22) })).toEqual([])
    expect(exceeded({ ...treeOf(), runtimeDependencies: names })[0]).toContain('package-22')
  })
})

describe('the table', () => {
  it('gives median, 90th percentile and largest by nearest rank', () => {
    expect(spread([5, 1, 2, 3, 4, 6, 7, 8, 9, 10])).toBe('5 / 9 / 10')
    expect(spread([])).toBe('0 / 0 / 0')
  })

  it('counts the lines of acceptance as tests of the rest', () => {
    const rows = figureTable([
      measure('f()\nf()\n'),
      measure('f()\n', 'service/src/app/x.test.ts'),
      measure('f()\nf()\n', 'acceptance/scopes.ts'),
    ]).split('\n')
    const ratio = rows[0]?.split(/ {2,}/).indexOf('test:code') ?? -1
    const ratios = rows
      .slice(1)
      .map((row) => row.split(/ {2,}/))
      .map((row) => [row[0], row[ratio]])
    expect(ratios).toEqual([
      ['acceptance', '–'],
      ['service', '0.50'],
      ['all', '1.50'],
    ])
  })
})
