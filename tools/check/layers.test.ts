// Plants each kind of violation in a small clean tree and asks for exactly that finding, at its file and line.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { checkLayers } from './layers.ts'

const table = `# A house
<!-- layers -->
| layer | what it does | folder | may import | alone uses |
|---|---|---|---|---|
| main | builds | service/src/main | http, app, store, contract | process.env, process.exit, node:process |
| http | HTTP | \`service/src/http\` | app, contract | fastify, @fastify/* |
| app | verbs | service/src/app | store, domain, contract (types) | |
| domain | rules | service/src/domain | contract (types), no packages | |
| store | SQL | service/src/store | | pg |
| hatchery | forks | service/src/hatchery | | node:child_process |
| contract | wire | contract | | |
| acceptance | black box | acceptance | contract, tools | |
| tools | tools | tools | contract | |
<!-- /layers -->
`

const clean: Record<string, string> = {
  'ARCHITECTURE.md': table,
  'package.json': JSON.stringify({ workspaces: ['contract', 'service', 'acceptance', 'tools'] }),
  'contract/package.json': JSON.stringify({ name: '@house/contract', exports: { '.': './src/index.ts' } }),
  'service/package.json': JSON.stringify({ name: '@house/service' }),
  'acceptance/package.json': JSON.stringify({ name: '@house/acceptance' }),
  'tools/package.json': JSON.stringify({ name: '@house/tools' }),
  'contract/src/index.ts': `export type Code = 'gone'\nexport const codes = ['gone']\n`,
  'service/src/main/version.ts': `import manifest from '../../package.json' with { type: 'json' }\nexport const version = manifest\n`,
  'service/src/main/api.ts': `import { server } from '../http/server.ts'\nserver(process.env['PORT'])\n`,
  'service/src/http/server.ts': `import fastify from 'fastify'\nimport { codes } from '@house/contract'\nimport { verb } from '../app/verb.ts'\nexport const server = (port?: string) => [fastify, codes, verb, port]\n`,
  'service/src/app/verb.ts': `import type { Code } from '@house/contract'\nimport { rows } from '../store/rows.ts'\nexport const verb = (code: Code) => [rows, code]\n`,
  'service/src/app/verb.test.ts': `import { spawn } from 'node:child_process'\nimport { codes } from '@house/contract'\nimport { start } from '@house/tools/services/start.ts'\nimport { server } from '../http/server.ts'\n`,
  'service/src/domain/rule.ts': `import type { Code } from '@house/contract'\nexport type Rule = Code\n`,
  'service/src/store/rows.ts': `import pg from 'pg'\nexport const rows = pg\n`,
  'service/src/hatchery/fork.ts': `export { fork } from 'node:child_process'\n`,
  'acceptance/scopes.test.ts': `import { codes } from '@house/contract'\n`,
  'tools/services/start.ts': `import { spawn } from 'node:child_process'\nexport const start = () => [spawn, process.env]\n`,
  'tools/write.ts': `export const write = 1\n`,
}

const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true })
})

/** Writes the clean tree with some files replaced or added, and checks it. */
function findingsWith(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'layers-'))
  trees.push(root)
  for (const [path, text] of Object.entries({ ...clean, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkLayers(root).map(({ file, line, rule }) => `${file}:${line} ${rule}`)
}

describe('a clean tree', () => {
  it('has no findings', () => {
    expect(findingsWith({})).toEqual([])
  })
})

describe('an import that the table does not allow is found', () => {
  const planted: [sentence: string, path: string, text: string, expected: string][] = [
    ['against the arrows', 'service/src/store/up.ts', `\nimport '../http/server.ts'`, ':2 layer'],
    [
      'past the next layer',
      'service/src/http/down.ts',
      `import { rows } from '../store/rows.ts'`,
      ':1 layer',
    ],
    ['in a re-export', 'service/src/http/down.ts', `\n\nexport { rows } from '../store/rows.ts'`, ':3 layer'],
    [
      'in an export of everything',
      'service/src/http/down.ts',
      `export * from '../store/rows.ts'`,
      ':1 layer',
    ],
    ['when it is dynamic', 'service/src/http/down.ts', `\nawait import('../store/rows.ts')`, ':2 layer'],
    ['when it is required', 'service/src/http/down.ts', `require('../store/rows.ts')`, ':1 layer'],
    [
      'in the type of an import',
      'service/src/http/down.ts',
      `type R = import('../store/rows.ts').R`,
      ':1 layer',
    ],
    ['even for types', 'service/src/http/down.ts', `import type { R } from '../store/rows.ts'`, ':1 layer'],
    [
      'of a value where only types are',
      'service/src/app/code.ts',
      `import { codes } from '@house/contract'`,
      ':1 layer',
    ],
    [
      'of an inline type, which still loads',
      'service/src/app/code.ts',
      `import { type Code } from '@house/contract'`,
      ':1 layer',
    ],
    [
      'of the service by a tool',
      'tools/peek.ts',
      `import { rows } from '@house/service/src/store/rows.ts'`,
      ':1 layer',
    ],
    [
      'of the service by an acceptance test',
      'acceptance/x.test.ts',
      `import '@house/service/src/main/api.ts'`,
      ':1 layer',
    ],
    [
      'of tools by a test, beyond the servers',
      'service/src/app/x.test.ts',
      `import '@house/tools/write.ts'`,
      ':1 layer',
    ],
    [
      'by a path out of the package',
      'acceptance/x.test.ts',
      `import '../service/src/main/api.ts'`,
      ':1 package border',
    ],
    [
      'of an internal file of a package',
      'service/src/http/x.ts',
      `import '@house/contract/src/index.ts'`,
      ':1 missing',
    ],
    [
      'of the data of another package',
      'service/src/app/x.ts',
      `import x from '@house/tools/package.json'`,
      ':1 layer',
    ],
    ['of a file that is not there', 'service/src/http/x.ts', `import './gone.ts'`, ':1 missing'],
    ['of a test by the product', 'service/src/app/x.ts', `import './verb.test.ts'`, ':1 test import'],
    [
      'whose path is computed',
      'service/src/app/x.ts',
      `const at = (x: string) => import(x)`,
      ':1 computed import',
    ],
  ]
  it.each(planted)('%s', (_, path, text, expected) => {
    expect(findingsWith({ [path]: text })).toEqual([path + expected])
  })
})

describe('what belongs to one layer is found elsewhere', () => {
  const planted: [used: string, path: string, text: string, expected: string][] = [
    ['pg', 'service/src/app/x.ts', `import pg from 'pg'`, ':1 alone uses'],
    ['the types of pg', 'service/src/app/x.ts', `import type { Pool } from 'pg'`, ':1 alone uses'],
    ['fastify', 'service/src/main/x.ts', `import fastify from 'fastify'`, ':1 alone uses'],
    ['a plugin of fastify', 'contract/src/x.ts', `import '@fastify/sse'`, ':1 alone uses'],
    ['child processes', 'service/src/app/x.ts', `import { fork } from 'node:child_process'`, ':1 alone uses'],
    [
      'child processes without prefix',
      'service/src/app/x.ts',
      `import { fork } from 'child_process'`,
      ':1 alone uses',
    ],
    ['process.env', 'service/src/app/x.ts', `\nexport const home = process.env['HOME']`, ':2 alone uses'],
    ['process.env in the contract', 'contract/src/x.ts', `export const e = process?.env`, ':1 alone uses'],
    [
      'process.env by globalThis',
      'service/src/app/x.ts',
      `export const e = globalThis.process.env`,
      ':1 alone uses',
    ],
    ['process.env by brackets', 'service/src/app/x.ts', `export const e = process['env']`, ':1 alone uses'],
    ['process.env taken apart', 'service/src/app/x.ts', `\nconst { env } = process`, ':2 alone uses'],
    ['process.env by import', 'service/src/app/x.ts', `import { env } from 'node:process'`, ':1 alone uses'],
    ['process.exit', 'service/src/app/x.ts', `export const end = () => process.exit(1)`, ':1 alone uses'],
    ['any package, in a pure layer', 'service/src/domain/x.ts', `import { z } from 'zod'`, ':1 no packages'],
    ['any node module, in a pure layer', 'service/src/domain/x.ts', `import 'node:fs'`, ':1 no packages'],
  ]
  it.each(planted)('%s', (_, path, text, expected) => {
    expect(findingsWith({ [path]: text })).toEqual([path + expected])
  })

  it('and other properties of process are everyone’s', () => {
    expect(findingsWith({ 'service/src/app/x.ts': `export const id = process.pid // process.env` })).toEqual(
      [],
    )
  })
})

describe('a ring of imports is found', () => {
  it('when it exists at run time', () => {
    const ring = {
      'service/src/app/a.ts': `\nimport { b } from './b.ts'\nexport const a = () => b`,
      'service/src/app/b.ts': `import { c } from './c.ts'\nexport const b = () => c`,
      'service/src/app/c.ts': `import { a } from './a.ts'\nexport const c = () => a`,
    }
    expect(findingsWith(ring)).toEqual(['service/src/app/a.ts:2 cycle'])
  })

  it('when only types close it', () => {
    const ring = {
      'service/src/app/a.ts': `import { b } from './b.ts'\nexport type A = typeof b`,
      'service/src/app/b.ts': `import type { A } from './a.ts'\nexport const b = (a: A) => a`,
    }
    expect(findingsWith(ring)).toEqual(['service/src/app/a.ts:1 cycle of types'])
  })

  it('and two knots are two findings', () => {
    const pair = (one: string, other: string): Record<string, string> => ({
      [`tools/${one}.ts`]: `import './${other}.ts'`,
      [`tools/${other}.ts`]: `import './${one}.ts'`,
    })
    const findings = findingsWith({ ...pair('a', 'b'), ...pair('c', 'd') })
    expect(findings).toEqual(['tools/a.ts:1 cycle', 'tools/c.ts:1 cycle'])
  })

  it('but not where two ways lead to one file', () => {
    const diamond = {
      'service/src/app/top.ts': `import './left.ts'\nimport './right.ts'`,
      'service/src/app/left.ts': `import './foot.ts'`,
      'service/src/app/right.ts': `import './foot.ts'`,
      'service/src/app/foot.ts': ``,
    }
    expect(findingsWith(diamond)).toEqual([])
  })
})

describe('a module mock is found', () => {
  const path = 'service/src/app/x.test.ts'
  it.each([
    ['vi.mock', `vi.mock('../store/rows.ts')`],
    ['vi.doMock', `vi.doMock('../store/rows.ts')`],
    ['jest.mock', `jest.mock('../store/rows.ts')`],
    ['vi under another name', `import { vi as v } from 'vitest';v.mock('pg')`],
    ['mock.module', `import { mock } from 'node:test';mock.module('pg')`],
  ])('%s', (_, text) => {
    expect(findingsWith({ [path]: `\n${text}` })).toEqual([`${path}:2 module mock`])
  })

  it('but not a spy on what the test itself made', () => {
    expect(findingsWith({ [path]: `vi.fn()\nvi.spyOn({}, 'x')` })).toEqual([])
  })
})

describe('the table', () => {
  it('must have a row for every file', () => {
    expect(findingsWith({ 'service/src/drawer/x.ts': '' })).toEqual(['service/src/drawer/x.ts:1 place'])
  })

  it('may keep the folders of a layer apart', () => {
    const rooms = table.replace('| tools | tools | tools |', '| tools | tools | tools/* |')
    const files = {
      'tools/services/stop.ts': `import { start } from './start.ts'\nexport const stop = start\n`,
      'tools/dev/run.ts': `import { start } from '../services/start.ts'\nexport const run = start\n`,
    }
    expect(findingsWith({ ...files, 'ARCHITECTURE.md': rooms })).toStrictEqual(['tools/dev/run.ts:1 layer'])
    expect(findingsWith(files)).toStrictEqual([])
  })

  it('may name one file to state an exception', () => {
    const row = '| write | writes | tools/write.ts | store, contract | |\n<!-- /layers -->'
    const files = {
      'ARCHITECTURE.md': table.replace('<!-- /layers -->', row),
      'tools/write.ts': `import '@house/service/src/store/rows.ts'`,
    }
    expect(findingsWith(files)).toEqual([])
  })

  it('may hold no ring', () => {
    const ringed = table.replace('| service/src/store | |', '| service/src/store | app | ')
    expect(findingsWith({ 'ARCHITECTURE.md': ringed })).toEqual(['ARCHITECTURE.md:1 table'])
  })

  it('must be there', () => {
    expect(() => findingsWith({ 'ARCHITECTURE.md': '# A house' })).toThrow('has no layer table')
  })

  it('must know every layer it names', () => {
    const unknown = table.replace('http, app, store', 'http, app, attic')
    expect(() => findingsWith({ 'ARCHITECTURE.md': unknown })).toThrow('import attic, which has no row')
  })
})

it('a file that does not parse stops the check instead of passing it', () => {
  expect(() => findingsWith({ 'service/src/app/x.ts': 'import {' })).toThrow('x.ts does not parse')
})
