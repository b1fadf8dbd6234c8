/**
 * Writes the pages of docs/reference that follow from the contract and the code: problems, operations, fields of events, commands. With `--check` it
 * writes nothing and fails when a committed page is not what it would write, or is one that it would not write any more.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiPage } from './docs/api-page.ts'
import { commandPage } from './docs/command-page.ts'
import { eventPage } from './docs/event-page.ts'
import { GENERATED } from './docs/generated.ts'
import { problemPages } from './docs/problem-pages.ts'

const root = join(import.meta.dirname, '..')

const wanted = new Map([
  ...problemPages(),
  ['docs/reference/api.md', apiPage()] as const,
  ['docs/reference/command-line.md', commandPage()] as const,
  ['docs/reference/event-fields.md', eventPage()] as const,
])
const present = new Map(
  globSync('docs/**/*.md', { cwd: root })
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
    .filter(([, text]) => text.startsWith(GENERATED)),
)
const stale = [...wanted].filter(([path, text]) => present.get(path) !== text)
const left = [...present.keys()].filter((path) => !wanted.has(path))

if (process.argv.includes('--check')) {
  if (stale.length + left.length > 0) {
    console.error(`Stale: ${[...stale.map(([path]) => path), ...left].join(', ')}.`)
    console.error('Run `node tools/write-docs.ts` and commit the result.')
    process.exitCode = 1
  }
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const path of left) rmSync(join(root, path))
  console.log(`${wanted.size} pages: ${stale.length} written, ${left.length} removed.`)
}
