/**
 * A Redis for one measurement: on a loopback port, in a temporary directory, as durable as the Postgres beside it. It is
 * the one on the search path, else one that was fetched earlier, else one fetched now.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { freePort, startChild, waitUntil } from '@concord/tools/launch'
import { fetchBinary } from '@concord/tools/services'
import type { DebianBinary } from '@concord/tools/services'

export interface Redis {
  readonly port: number
  readonly pid: number
  /** Ends it and deletes its data. */
  remove(): Promise<void>
}

const DEBIAN: DebianBinary = {
  name: 'redis-server',
  suite: 'bookworm',
  package: 'redis-tools',
  // One binary under several names; it goes by the name it is called with.
  path: 'usr/bin/redis-check-rdb',
  libraries: ['libjemalloc2', 'liblzf1', 'libatomic1'],
}

export async function startRedis(report: (line: string) => void): Promise<Redis> {
  const server = await findRedisServer(report)
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'concord-redis-'))
  const settings = { bind: '127.0.0.1', port, dir, save: '', appendonly: 'yes', appendfsync: 'always' }
  const child = startChild({
    command: server,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    env: environmentOf(server),
    cwd: dir,
  })
  const remove = async () => {
    await child.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    await waitUntil(() => child.hasExited() || answers(port), { what: 'redis-server answering' })
    if (child.hasExited()) throw new Error(`redis-server ended instead of starting:\n${child.output()}`)
  } catch (error) {
    await remove()
    throw error
  }
  return { port, pid: child.pid, remove }
}

async function findRedisServer(report: (line: string) => void): Promise<string> {
  const cacheDir = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'concord')
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  const dirs = [...onPath, ...globSync(join(cacheDir, 'redis-server-*'))]
  const found = dirs.map((dir) => join(dir, DEBIAN.name)).find((path) => existsSync(path) && runs(path))
  if (found) return found
  const whatToDo = 'Install redis-server and put it on the PATH.'
  const fetched = await fetchBinary(DEBIAN, { cacheDir, whatToDo, report })
  if (!runs(fetched)) throw new Error(`The redis-server that was fetched does not run here. ${whatToDo}`)
  return fetched
}

function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { env: environmentOf(path), timeout: 10_000 }).status === 0
}

/** Libraries that were fetched lie beside the binary. */
function environmentOf(server: string): Record<string, string> {
  return { LD_LIBRARY_PATH: dirname(server) }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', (reply) => {
      resolve(reply.toString('latin1').startsWith('+PONG'))
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
  })
}
