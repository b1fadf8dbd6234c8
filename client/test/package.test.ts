/** The package as people get it: built, packed, installed into a project that has nothing, and run there. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChild } from '@concord/tools/launch'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeWorld, useService } from './support/service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const root = join(import.meta.dirname, '..', '..')
const bin = join(root, 'node_modules', '.bin')
const folder = mkdtempSync(join(tmpdir(), 'concord-client-'))
const built = join(folder, 'built')
const project = join(folder, 'project')
const service = useService()
let tarball: string

async function run(command: string, args: readonly string[], cwd: string, env = {}): Promise<string> {
  return runChild({ command, args, cwd, env: { ...process.env, NODE_OPTIONS: '', ...env } })
}

beforeAll(async () => {
  // Runs as somebody does it whose Node is the system's.
  const path = (process.env['PATH'] ?? '').split(':').filter((each) => !each.includes('node_modules'))
  const printed = await run('npm', ['run', '--silent', 'build:client', '--', '--out', built], root, {
    PATH: path.join(':'),
  })
  tarball = /npm install "(.+)"/.exec(printed)?.[1] ?? printed
  await run('mkdir', ['-p', project], folder)
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
  await run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', tarball], project)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  it('is clean to publint', async () => {
    expect(await run(join(bin, 'publint'), ['--strict', built], built)).toContain('All good!')
  })

  it('has types that resolve wherever it can be imported', async () => {
    const words = await run(join(bin, 'attw'), ['--profile', 'esm-only', '--format', 'json', tarball], folder)
    const { analysis } = JSON.parse(words) as {
      analysis: { problems: { kind: string; resolutionKind?: string }[] }
    }
    // From CommonJS it is imported by `await import`, as every package without a second build.
    expect(analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([])
  })

  it('depends on nothing, and carries no sources of ours', async () => {
    const installed = join(project, 'node_modules', '@concord', 'client')
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >
    expect(manifest['dependencies']).toBeUndefined()
    // So that nobody publishes it under a name that may be somebody else's.
    expect(manifest['private']).toBe(true)
    const code = await run('cat', ['index.js', 'client.js', 'requests.js', 'streaming.js'], installed)
    expect(code).not.toMatch(/from '(?!\.)|node:|process\.|\.ts'/)
  })

  it('compiles in a project that has the types of a browser and no others', async () => {
    copyFileSync(join(import.meta.dirname, 'support', 'consumer.txt'), join(project, 'consumer.ts'))
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      '',
      '--lib',
      'es2022,dom',
    ]
    await expect(run(join(bin, 'tsc'), [...options, 'consumer.ts'], project)).resolves.toBe('')
  })
})

describe('the first steps of the README', () => {
  const older = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path))

  it.each([process.execPath, ...(older ? [older] : [])])('work in %s', async (node) => {
    const { tenantId, tenantKey } = await makeWorld(service())
    copyFileSync(
      join(import.meta.dirname, '..', 'examples', 'quick-start.ts'),
      join(project, 'quick-start.js'),
    )
    const words = await run(node, ['quick-start.js'], project, {
      CONCORD_URL: service().url,
      TENANT_ID: tenantId,
      TENANT_KEY: tenantKey,
    })
    expect(words.trim().split('\n').toSorted()).toEqual([
      'Memo: The revenue of Borealis Ltd in 2025 was EUR 11.9m.',
      'Report: Borealis Ltd had revenue of EUR 12.4m in 2025.',
    ])
  })
})
