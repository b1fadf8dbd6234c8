import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sortTests } from './test-projects.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'concord-projects-'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

function sorted(files: Readonly<Record<string, string>>, slow: readonly string[] = []) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return sortTests(root, ['{service,tools}/**/*.test.ts'], slow)
}

describe('a test file', () => {
  it('belongs to db when its imports lead to servers, through other files of the tests too', () => {
    const projects = sorted({
      'service/test/a.test.ts': `import { useDatabase } from './support/database.ts'`,
      'service/test/b.test.ts': `import {\n  one,\n  two,\n} from './support/people.ts'`,
      'service/test/support/people.ts': `export { useDatabase } from './database.ts'`,
      'service/test/support/database.ts': `import { createTestDatabase } from '@concord/tools/testing'`,
      'tools/services/servers.test.ts': `import { ensureServices } from './index.ts'`,
      'tools/services/index.ts': '',
    })
    const db = ['service/test/a.test.ts', 'service/test/b.test.ts', 'tools/services/servers.test.ts']
    expect(projects).toEqual({ unit: [], db, slow: [] })
  })

  it('belongs to unit when it imports the product, a type or a tool that starts nothing', () => {
    const projects = sorted({
      'service/test/a.test.ts': `import { read } from '../src/read.ts'\nimport type { X } from './support/database.ts'`,
      'service/test/b.test.ts': `import { waitUntil } from '@concord/tools/launch'\nimport { c } from './c.ts'`,
      'service/test/c.ts': `import { d } from './d.ts'`,
      'service/test/d.ts': `import { c } from './c.ts'`,
      'service/test/support/database.ts': `import { createTestDatabase } from '@concord/tools/testing'`,
    })
    expect(projects).toEqual({ unit: ['service/test/a.test.ts', 'service/test/b.test.ts'], db: [], slow: [] })
  })

  it('belongs to slow when the list names it, and then to nothing else', () => {
    const files = { 'service/test/a.test.ts': '', 'service/test/deep/b.test.ts': '' }
    expect(sorted(files, ['service/test/{deep,none}/*.test.ts'])).toEqual({
      unit: ['service/test/a.test.ts'],
      db: [],
      slow: ['service/test/deep/b.test.ts'],
    })
  })

  it('that asks for servers in unit fails, with advice', async () => {
    // By a path that only the program knows, as a file that is sorted wrongly would.
    const { testServices } = await import('./testing.ts')
    expect(testServices).toThrow('This test file asks for servers, but the project "unit" has none.')
  })

  it('that the list names without being there fails the run, with advice', () => {
    expect(() => sorted({ 'service/test/a.test.ts': '' }, ['service/test/gone.test.ts'])).toThrow(
      'SLOW of vitest.config.ts names service/test/gone.test.ts, which does not exist',
    )
  })
})
