// Which nats-server to run: the one asked for, else one on the search path, else a copy fetched earlier, else a
// copy fetched now. Support starts at 2.15: older ones can lose acknowledged messages at a power cut.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { type DebianBinary, fetchBinary } from './fetch-binary.ts'

export interface NatsServer {
  readonly serverPath: string
  readonly version: string
}

export interface NatsServerQuestion {
  readonly serverPath?: string | undefined
  readonly searchPath?: string
  readonly cacheDir?: string
  readonly report?: (line: string) => void
}

const OLDEST = [2, 15] as const
const DEBIAN: DebianBinary = {
  name: 'nats-server',
  // The suites for installed systems carry 2.9 and 2.10. This one's package needs only libc 2.34.
  suite: 'forky',
  package: 'nats-server',
  path: 'usr/sbin/nats-server',
}
const WHAT_TO_DO =
  'Install nats-server 2.15 or newer and put it on the PATH, or name it in CONCORD_NATS_SERVER.'

export async function chooseNatsServer(question: NatsServerQuestion): Promise<NatsServer> {
  const { serverPath, searchPath = '', cacheDir = join(homedir(), '.cache', 'concord') } = question
  if (serverPath !== undefined) return given(serverPath)
  // Relative entries would mean another program in each working directory.
  const onPath = searchPath.split(delimiter).filter(isAbsolute)
  const found = firstSupported([...onPath, ...cachedDirs(cacheDir)].map((dir) => join(dir, 'nats-server')))
  if (found) return found
  const fetched = firstSupported([
    await fetchBinary(DEBIAN, { cacheDir, whatToDo: WHAT_TO_DO, report: question.report }),
  ])
  if (fetched) return fetched
  throw new Error(`The nats-server that was fetched is too old or does not run here. ${WHAT_TO_DO}`)
}

function given(path: string): NatsServer {
  const found = firstSupported([path])
  if (found) return found
  throw new Error(`CONCORD_NATS_SERVER is ${path}, which is no nats-server 2.15 or newer. ${WHAT_TO_DO}`)
}

function cachedDirs(cacheDir: string): string[] {
  if (!existsSync(cacheDir)) return []
  const names = readdirSync(cacheDir).filter((name) => name.startsWith('nats-server-'))
  return names.map((name) => join(cacheDir, name))
}

// The first that is new enough: the search path comes before the cache.
function firstSupported(paths: readonly string[]): NatsServer | undefined {
  for (const path of paths) {
    const version = existsSync(path) ? versionOf(path) : undefined
    if (version && isSupported(version)) return { serverPath: realpathSync(path), version }
  }
  return undefined
}

// Asked by running it: a file cut short by a full disk has the right name too.
function versionOf(path: string): string | undefined {
  const asked = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 })
  return /nats-server: v(\d+\.\d+\.\S+)/.exec(asked.stdout ?? '')?.[1]
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}
