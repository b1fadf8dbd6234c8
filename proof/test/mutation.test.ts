import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from '@concord/tools/launch'
import { describe, expect, it } from 'vitest'
import {
  always,
  drop,
  insertAfter,
  insertBefore,
  never,
  rewrite,
  rewriteCondition,
  rewriteValue,
} from '../harness/mutation/changes.ts'
import type { SourceChange } from '../harness/mutation/changes.ts'
import { mutateSources, withMutatedRepository } from '../harness/mutation.ts'

const FILE = 'service/src/a.ts'

/** The text has the marker; returned is the text without it. */
function mutate(text: string, ...changes: readonly SourceChange[]): string {
  const mutations = changes.map((change) => ({ name: 'broken', at: 'ingest.seal' as const, change }))
  const { changed } = mutateSources(new Map([[FILE, text]]), mutations)
  return (changed.get(FILE) ?? '').replace(/ *\/\/ @point ingest\.seal\n| *-- @point ingest\.seal/, '')
}

const marked = (code: string) => `// @point ingest.seal\n${code}\n`

describe('the code after a marker', () => {
  it('gets other code before and after it, any number of times', () => {
    const both = mutate(
      marked('const a = f(\n1)'),
      insertBefore('b()'),
      insertAfter('c()'),
      insertBefore('d()'),
    )
    expect(both).toBe(';b();\n;d();\nconst a = f(\n1)\n;c();\n')
  })

  it('is the statement, whatever other comments stand before it', () => {
    expect(mutate(marked('// because\n\nf()\ng()'), drop)).toBe('// because\n\n;\ng()\n')
  })

  it('has its result at hand where something is put behind a return', () => {
    const text = `async function f() {\n  // @point ingest.seal\n  return g()\n}\n`
    expect(mutate(text, insertAfter('c()'))).toBe(
      'async function f() {\n  { const returned = await (g())\n;c();\nreturn returned }\n}\n',
    )
  })

  it.each([
    ['if (a || b) c()', always, 'if (true) c()'],
    ['if (a || b) c()', never, 'if ((a || b) && false) c()'],
    ['if (a && b) c()', rewriteCondition((test) => test.replace(/ && .*/, '')), 'if (a) c()'],
    ['const A = 4', rewriteValue(() => '0'), 'const A = 0'],
    ['export const A = 4', rewriteValue(() => '0'), 'export const A = 0'],
    ['a = b ?? a', rewriteValue((value) => `(${value}) + 1`), 'a = (b ?? a) + 1'],
    ['await f(a)', rewriteValue((value) => `${value}.then(g)`), 'await f(a).then(g)'],
    ['f(a, b)', rewrite((text) => text.replace(/, \w+\)$/, ')')), 'f(a)'],
  ])('%j is changed in the part that is meant', (before, change, after) => {
    expect(mutate(marked(before), change)).toBe(`${after}\n`)
  })

  it.each([
    ['has another property behind it', insertAfter('c: 3'), 'const o = {\n  a: 1, c: 3,\n  b: 2,\n}\n'],
    ['gets another value', rewriteValue(() => '9'), 'const o = {\n  a: 9,\n  b: 2,\n}\n'],
    ['goes with its comma', drop, 'const o = {\n  \n  b: 2,\n}\n'],
  ])('%s where it is a property', (_, change, after) => {
    expect(mutate('const o = {\n  // @point ingest.seal\n  a: 1,\n  b: 2,\n}\n', change)).toBe(after)
  })
})

describe('the line of SQL before a marker', () => {
  const statement = (line: string) => 'const TEXT = `\n  select 1\n' + line + '\n   limit 1`\n'

  it.each([
    ['is left out', drop, ''],
    ['gets more at its end', insertAfter('and false'), '   where a = 1 and false'],
    ['becomes another', rewrite((line) => line.replace(/=.*/, 'is null')), '   where a is null'],
  ])('%s', (_, change, after) => {
    expect(mutate(statement('   where a = 1 -- @point ingest.seal'), change)).toBe(statement(after))
  })
})

describe('a mutation is refused', () => {
  it.each([
    ['no file has its marker', 'f()', drop, 'no file has the marker "@point ingest.seal"'],
    ['its marker is there twice', marked('f()').repeat(2), drop, 'more than once: service/src/a.ts'],
    ['nothing follows its marker', marked(''), drop, 'nothing begins on the line after the marker'],
    ['it changes nothing', marked('f()'), rewrite((text) => text), 'it changes nothing'],
    ['no TypeScript is left', marked('f()'), rewrite(() => 'f(('), 'cannot be made'],
    ['there is no such part', marked('f()'), always, 'a ExpressionStatement has no condition'],
    [
      'the code is in no block',
      'f(\n// @point ingest.seal\na)',
      insertBefore('b()'),
      'takes nothing before it',
    ],
  ])('where %s', (_, text, change, message) => {
    expect(() => mutate(text, change)).toThrow(`The mutation "broken" cannot be made`)
    expect(() => mutate(text, change)).toThrow(message)
  })

  it('where it sweeps through files and matches nothing', () => {
    const sweep = { name: 'stale', files: 'service/src/*.ts', find: /nowhere/g, replace: '' }
    expect(() => mutateSources(new Map([[FILE, 'f()']]), [sweep])).toThrow(
      '/nowhere/g is nowhere in service/src/*.ts',
    )
  })
})

it('a sweep changes every match, and counts them', () => {
  const sweep = { name: 'b', files: 'service/src/*.ts', find: /a(\d)/g, replace: 'b$1' }
  const sources = new Map([
    [FILE, 'a1 + a2'],
    ['client/src/a.ts', 'a3'],
  ])
  expect(mutateSources(sources, [sweep])).toEqual({ changed: new Map([[FILE, 'b1 + b2']]), places: [2] })
})

describe('a mutated repository', () => {
  it('runs its own service and its own contract, not the original ones', async () => {
    const mutations = [
      {
        name: 'service',
        files: 'service/src/main/version.ts',
        find: /= manifest\.version/g,
        replace: "= '77.7.7'",
      },
      {
        name: 'contract',
        files: 'contract/src/problems.ts',
        find: /There is nothing here/g,
        replace: 'Mutated here',
      },
    ]
    await withMutatedRepository(mutations, async (copy) => {
      const entry = join(copy, 'service', 'src', 'main', 'concord.ts')
      const version = await runChild({ command: process.execPath, args: [entry, '--version'], env: {} })
      expect(version.trim()).toBe('77.7.7')
      const question = `import('@concord/contract').then(({ problems }) => console.log(problems.not_found.title))`
      const title = await runChild({
        command: process.execPath,
        args: ['-e', question],
        env: {},
        cwd: join(copy, 'service'),
      })
      expect(title.trim()).toBe('Mutated here')
    })
  })

  it('is gone afterwards, also when the work fails', async () => {
    let path = ''
    const failing = withMutatedRepository([], async (copy) => {
      path = copy
      throw new Error('the work failed')
    })
    await expect(failing).rejects.toThrow('the work failed')
    expect(path).not.toBe('')
    expect(existsSync(path)).toBe(false)
  })
})
