/**
 * `npm run build:client`: builds the package that people install, in client/dist or where `--out` says: JavaScript and declarations
 * of client/src, the README and a manifest that points at them, and packs it beside them. It stays private: no name on a public
 * registry is ours yet.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const client = join(root, 'client')
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const out = resolve(values.out ?? join(client, 'dist'))

interface Manifest {
  readonly exports?: unknown
}

rmSync(out, { recursive: true, force: true })
const project = join(client, 'tsconfig.build.json')
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', project, '--outDir', out], {
  stdio: 'inherit',
})

/** In the repository the sources are the package; people install what they were built into. */
const { exports: _, ...shared } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')) as Manifest
const built = {
  ...shared,
  engines: { node: '>=20' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
}
writeFileSync(join(out, 'package.json'), `${JSON.stringify(built, null, 2)}\n`)
copyFileSync(join(client, 'README.md'), join(out, 'README.md'))
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'))
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
  cwd: out,
  encoding: 'utf8',
})
console.log(`Install it in a project of yours:\n\n  npm install "${join(out, packed.trim())}"`)
