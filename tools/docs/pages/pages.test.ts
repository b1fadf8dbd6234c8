/**
 * Runs the commands of pages against a service as `npm run dev` sets it up, each page in a shell and with a tenant of its own, and
 * compares what they print with what the page says.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFirstCalls } from '../../dev/first-calls.ts'
import { ensureDevKeys } from '../../dev/keys.ts'
import { concordCommand, startDevApi } from '../../dev/processes.ts'
import { deploymentEnv, dropDatabase, freePort } from '../../launch/index.ts'
import type { DeployedApi } from '../../launch/index.ts'
import { createTestDatabase } from '../../launch/testing.ts'
import type { Services } from '../../services/index.ts'
import { difference } from './matching.ts'
import { pageBlocks } from './page-blocks.ts'
import type { PageBlock } from './page-blocks.ts'
import { openShell } from './shell.ts'
import type { Shell } from './shell.ts'

const root = join(import.meta.dirname, '../../..')
const pages = [
  'README.md',
  'docs/tutorial/five-minutes.md',
  'docs/how-to/failed-documents.md',
  'docs/how-to/nightly-job.md',
  'docs/how-to/pause-safely.md',
  'docs/how-to/resolve-a-contradiction.md',
  'docs/how-to/rotate-keys.md',
  'docs/how-to/s3.md',
  'docs/how-to/stuck-document.md',
  'docs/how-to/write-a-policy.md',
]
/** Work that is under way has come to its end by then, also on a busy machine. */
const SOON_MS = 15_000

const name = `pages_${randomBytes(6).toString('hex')}`
let services: Services
let env: Record<string, string>
let api: DeployedApi
let keys: { readonly admin: string; readonly internals: string }
let folder: string

beforeAll(async () => {
  services = await createTestDatabase(name)
  env = { ...deploymentEnv(services, name), PORT: String(await freePort()), LOG_LEVEL: 'warn' }
  api = await startDevApi(env)
  const [admin, internals] = await Promise.all([newKey('admin'), newKey('internals')])
  keys = { admin, internals }
  folder = mkdtempSync(join(tmpdir(), 'concord-pages-'))
}, 120_000)

afterAll(async () => {
  await api?.stop()
  await dropDatabase(services, name)
  rmSync(folder, { recursive: true, force: true })
})

async function newKey(tier: string): Promise<string> {
  const printed = await concordCommand(env, 'keys', 'create', '--tier', tier, '--json')
  return (JSON.parse(printed) as { readonly api_key: string }).api_key
}

/** A tenant with a scope, like the one that `npm run dev` makes. */
async function newTenant(): Promise<{ readonly tenant_id: string; readonly api_key: string }> {
  const make = async <Made>(path: string, body: object, headers = {}): Promise<Made> => {
    const answer = await fetch(`${api.url}/admin/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.admin}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    return (await answer.json()) as Made
  }
  const tenant = await make<{ tenant_id: string; api_key: string }>('tenants', { name: 'Demo' })
  await make('scopes', { scope_id: 'first-case' }, { 'x-tenant-api-key': tenant.api_key })
  return tenant
}

/** The difference from the page, or nothing. */
async function runBlock(shell: Shell, { script, how, shows }: PageBlock): Promise<string | undefined> {
  const deadline = Date.now() + SOON_MS
  for (;;) {
    const { output, code } = await shell.run(script)
    const fault = code === 0 ? shows && difference(shows, output) : `It ended with ${code}:\n${output}`
    if (!fault || how !== 'soon' || Date.now() > deadline) return fault
    await delay(100)
  }
}

/** The first thing that went otherwise, by its line; what follows would follow from it. */
async function runPage(page: string, shell: Shell): Promise<string | undefined> {
  const blocks = pageBlocks(readFileSync(join(root, page), 'utf8')).filter(({ how }) => how !== 'by-hand')
  if (blocks.length === 0) return 'There is no command to run.'
  for (const block of blocks) {
    const fault = await runBlock(shell, block)
    if (fault) return `${page}:${block.line}: ${fault}`
  }
  return undefined
}

describe('the commands of a page print what it shows', () => {
  it.each(pages)('%s', { timeout: 60_000 }, async (page) => {
    const { tenant_id: tenantId, api_key: tenantKey } = await newTenant()
    const desk = join(folder, page.replaceAll(/\W/g, '-'))
    mkdirSync(join(desk, '.services'), { recursive: true })
    writeFileSync(
      join(desk, '.services', 'dev.env'),
      Object.entries(env)
        .map(([variable, value]) => `${variable}='${value}'\n`)
        .join(''),
    )
    const shell = openShell(desk, {
      PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
      CONCORD_URL: api.url,
      ADMIN_KEY: keys.admin,
      INTERNALS_KEY: keys.internals,
      TENANT_KEY: tenantKey,
      TENANT_ID: tenantId,
    })
    try {
      expect(await runPage(page, shell)).toBeUndefined()
    } finally {
      shell.close()
    }
  })
})

describe('with the export lines of npm run dev in a terminal', () => {
  /** A terminal in a folder outside of the clone, after those lines. */
  async function openTerminal(desk: string): Promise<Shell> {
    mkdirSync(desk)
    const printed = describeFirstCalls(api.url, await ensureDevKeys(api.url, { env, keys: undefined }))
    const shell = openShell(desk, { PATH: process.env['PATH'] ?? '', HOME: desk })
    await shell.run(printed.match(/^ {2}export .*$/gm)?.join('\n') ?? 'false')
    return shell
  }

  it(
    'the command line and the quick start of the client work as they are written',
    { timeout: 60_000 },
    async () => {
      const desk = join(folder, 'project')
      const shell = await openTerminal(desk)
      mkdirSync(join(desk, 'node_modules', '@concord'), { recursive: true })
      symlinkSync(join(root, 'client'), join(desk, 'node_modules', '@concord', 'client'))
      const readme = readFileSync(join(root, 'client', 'README.md'), 'utf8')
      const [, quickStart = ''] = /<!-- example: quick-start.ts -->\n```ts\n([^]*?)```/.exec(readme) ?? []
      writeFileSync(join(desk, 'quick-start.ts'), quickStart)
      writeFileSync(join(desk, 'package.json'), '{ "type": "module" }')
      try {
        const started = await shell.run('node quick-start.ts')
        expect([started.code, started.output.trim().split('\n').toSorted()]).toEqual([
          0,
          [
            'Memo: The revenue of Borealis Ltd in 2025 was EUR 11.9m.',
            'Report: Borealis Ltd had revenue of EUR 12.4m in 2025.',
          ],
        ])
        const listed = await shell.run('concord contradictions list first-case')
        expect([listed.code, listed.output]).toEqual([0, expect.stringContaining('EUR 11.9m')])
      } finally {
        shell.close()
      }
    },
  )
})
