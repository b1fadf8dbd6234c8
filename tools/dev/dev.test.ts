/** `npm run dev` and `npm run demo` as they are typed, with real processes: in a copy of the repository, so that they have servers and keys of their own. */
import { cp } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { copyRepository, freePort, isAlive, startChild, waitUntil, withFolder } from '../launch/index.ts'
import type { Child } from '../launch/index.ts'
import { ensureServices, stopServices } from '../services/index.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const REPOSITORY = join(import.meta.dirname, '..', '..')
/** On a machine that is busy with other things, too. */
const START_MS = 100_000
const END_MS = 15_000

let copy = ''
let removed: Promise<void>
const done = Promise.withResolvers<void>()

beforeAll(async () => {
  const ready = Promise.withResolvers<void>()
  removed = withFolder('dev', async (folder) => {
    copy = folder
    await copyRepository(folder)
    await cp(join(REPOSITORY, 'tools'), join(folder, 'tools'), {
      recursive: true,
      filter: (source) => !source.endsWith('node_modules'),
    })
    // Before the first run, so that the servers are no children of it.
    await ensureServices({ stateDir: join(folder, '.services') })
    ready.resolve()
    await done.promise
    await stopServices({ stateDir: join(folder, '.services') })
  })
  await Promise.race([ready.promise, removed])
})

afterAll(async () => {
  done.resolve()
  await removed
})

function startNpm(port: number, script = 'dev', settings: Readonly<Record<string, string>> = {}): Child {
  const env = { ...process.env, ...settings, PORT: String(port), npm_config_update_notifier: 'false' }
  return startChild({ command: 'npm', args: ['run', script], env, cwd: copy })
}

async function startDev(): Promise<Child> {
  const npm = startNpm(await freePort())
  await waitUntil(() => npm.hasExited() || npm.output().includes('Concord is running at'), {
    what: 'npm run dev becoming ready',
    withinMs: START_MS,
  })
  if (npm.hasExited()) throw new Error(npm.output())
  return npm
}

interface Listed {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

function listProcesses(): Listed[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return [{ pid: Number(name), parent: Number(parent), command }]
    } catch {
      return []
    }
  })
}

/** The process itself and all below it. */
function familyOf(pid: number, all = listProcesses()): Listed[] {
  const below = all.filter(({ parent }) => parent === pid).flatMap((child) => familyOf(child.pid, all))
  return [...all.filter((each) => each.pid === pid), ...below]
}

async function survivors(family: readonly Listed[]): Promise<Listed[]> {
  const living = () => family.filter(({ pid }) => isAlive(pid))
  const what = 'all processes of npm run dev being gone'
  await waitUntil(() => living().length === 0, { what, withinMs: END_MS }).catch(() => undefined)
  const left = living()
  for (const { pid } of left) process.kill(pid, 'SIGKILL')
  return left
}

type Target = 'npm' | 'the shell of npm' | 'the program' | 'the whole group'

function choose(family: readonly Listed[], target: Target): number[] {
  if (target === 'the whole group') return family.map(({ pid }) => pid)
  const [npm, next] = family
  const program = family.find(({ command }) => command.includes('tools/dev.ts') && !command.startsWith('sh '))
  const found = { npm, 'the shell of npm': next, 'the program': program }[target]
  if (!found) throw new Error(`There is no process ${target}`)
  return [found.pid]
}

it.skipIf(process.platform !== 'linux').each([
  ['npm', 'SIGKILL'],
  ['npm', 'SIGTERM'],
  // Ctrl-C in a terminal. npm alone does not end by this signal: it leaves that to what it started.
  ['the whole group', 'SIGINT'],
  ['the shell of npm', 'SIGKILL'],
  ['the program', 'SIGKILL'],
  ['the program', 'SIGHUP'],
] as const)('ends with all its processes when %s gets %s', async (target, signal) => {
  const npm = await startDev()
  const family = familyOf(npm.pid)
  expect(family.length).toBeGreaterThan(3)
  for (const pid of choose(family, target)) process.kill(pid, signal)
  expect(await survivors(family)).toEqual([])
})

describe('npm run demo', () => {
  it('shows documents read with recorded answers, and ends with all its processes', async () => {
    const port = await freePort()
    const npm = startNpm(port, 'demo')
    await waitUntil(() => npm.hasExited() || npm.output().includes('accepted '), {
      what: 'npm run demo handing in documents',
      withinMs: START_MS,
    })
    const family = familyOf(npm.pid)
    const { code } = await npm.exited
    expect([code, npm.output()]).toEqual([0, expect.stringContaining('16 contradictions opened')])
    expect(npm.output()).toContain('answers of a language model, recorded November 2026')
    expect(npm.output()).toContain(`PORT=${port} npm run dev`)
    expect(family.length).toBeGreaterThan(3)
    expect(await survivors(family)).toEqual([])
  })

  it('uses the service of npm run dev as it is, and says that rules read there', async () => {
    const dev = await startDev()
    try {
      const port = Number(/running at http:\/\/127\.0\.0\.1:(\d+)/.exec(dev.output())?.[1])
      const demo = startNpm(port, 'demo')
      const { code } = await demo.exited
      expect([code, demo.output()]).toEqual([0, expect.stringContaining('reads with rules')])
      expect(demo.output()).toContain('11 contradictions opened')
    } finally {
      const family = familyOf(dev.pid)
      dev.signal('SIGTERM')
      expect(await survivors(family)).toEqual([])
    }
  })

  it('says why the model that MODEL_URL names cannot be used', async () => {
    const settings = { MODEL_URL: `http://127.0.0.1:${await freePort()}/v1`, MODEL_NAME: 'none' }
    const npm = startNpm(await freePort(), 'demo', settings)
    const { code } = await npm.exited
    expect([code, npm.output()]).toEqual([
      1,
      expect.stringContaining('/v1: no answer: unreachable; see that'),
    ])
    expect(npm.output()).not.toMatch(/^\s+at /m)
  })
})

it('says that the port is used before it says that it runs, and how to choose another one', async () => {
  // It answers the health check, as another service of ours would.
  const other = createServer((_, answer) => answer.end('ok'))
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  try {
    const npm = startNpm(port)
    const { code } = await npm.exited
    expect(code).toBe(1)
    expect(npm.output()).toContain(`Port ${port} is in use`)
    expect(npm.output()).toMatch(/PORT=\d+ npm run dev/)
    expect(npm.output()).not.toContain('Concord is running')
    expect(npm.output()).not.toMatch(/^\s+at /m)
  } finally {
    other.closeAllConnections()
    other.close()
  }
})
