/**
 * Writes what of the client follows from contract/openapi.json and from client/examples: its types, its methods, and the
 * examples in comments and pages. With `--check` it writes nothing and fails when a committed file is not what it would write.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExamples, refreshComments, refreshPage } from './client/examples.ts'
import { methodsFile, schemasFile, tableFile } from './client/generated-code.ts'
import { servedOperations } from './client/served.ts'
import type { OpenApi } from './client/served.ts'

const root = join(import.meta.dirname, '..')
const generated = 'client/src/generated'
const pages = ['client/README.md', 'docs/how-to/client.md']

function read(path: string): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
}

/** Every file that has a say of this tool in it, as it should be. */
function wantedFiles(): Map<string, string> {
  const document = JSON.parse(read('contract/openapi.json')) as OpenApi
  const operations = servedOperations(document)
  const examples = readExamples(join(root, 'client', 'examples'))
  const sources = globSync('client/src/*.ts', { cwd: root })
  return new Map([
    [`${generated}/schemas.ts`, schemasFile(document)],
    [`${generated}/operations.ts`, tableFile(operations)],
    [`${generated}/methods.ts`, methodsFile(document, operations, examples)],
    ...sources.map((path) => [path, refreshComments(read(path), examples)] as const),
    ...pages.map((path) => [path, refreshPage(read(path), examples)] as const),
  ])
}

const stale = [...wantedFiles()].filter(([path, text]) => read(path) !== text)
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`Stale: ${stale.map(([path]) => path).join(', ')}.`)
    console.error('Run `node tools/write-client.ts` and commit the result.')
    process.exitCode = 1
  }
} else {
  for (const [path, text] of stale) writeFileSync(join(root, path), text)
  console.log(stale.length === 0 ? 'Nothing changed.' : `Wrote ${stale.map(([path]) => path).join(', ')}.`)
}
