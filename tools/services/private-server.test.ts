// The handles that tests of faults use: a server of their own to kill, restart and delete.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateNats, type PrivatePostgres, startPrivateNats, startPrivatePostgres } from './index.ts'
import { LOOPBACK } from './ports.ts'
import { standInFor } from './unprivileged.ts'

const searchPath = process.env['PATH'] ?? ''
let dir: string
let postgres: PrivatePostgres
let nats: PrivateNats

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'concord-private-'))
  postgres = await startPrivatePostgres({ dir, searchPath, settings: { synchronous_commit: 'off' } })
  nats = await startPrivateNats({ dir, searchPath, limits: { syncInterval: '2m' } })
}, 60_000)
afterAll(async () => {
  await postgres.remove()
  await nats.remove()
  rmSync(dir, { recursive: true })
})

async function setting(name: string): Promise<string> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    return (
      (await client.query<{ value: string }>('select current_setting($1) as value', [name])).rows[0]?.value ??
      ''
    )
  } finally {
    await client.end()
  }
}

async function occupy(port: number): Promise<() => Promise<unknown>> {
  const server = createServer().listen(port, LOOPBACK)
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return () => new Promise((resolve) => server.close(resolve))
}

describe('a private server', { timeout: 60_000 }, () => {
  it('takes settings of its own', async () => {
    expect(await setting('synchronous_commit')).toBe('off')
    const answer = await fetch(`${nats.monitorUrl}/jsz`)
    expect(await answer.json()).toMatchObject({
      config: { sync_interval: 120_000_000_000, max_storage: 8 * 1024 ** 3 },
    })
  })

  it('comes back from SIGKILL at the same address under a new pid', async () => {
    for (const server of [postgres, nats]) {
      const { pid, url } = server
      expect(server.kill('SIGKILL')).toBe(true)
      await server.restart()
      expect(server.url).toBe(url)
      expect(server.pid).not.toBe(pid)
    }
  })

  it('can be restarted while it is frozen by SIGSTOP', async () => {
    for (const server of [postgres, nats]) {
      const { pid } = server
      server.kill('SIGSTOP')
      await server.restart()
      expect(server.pid).not.toBe(pid)
    }
  })

  it('moves to another port when someone took its own', async () => {
    const { port } = postgres
    await postgres.stop()
    const release = await occupy(port)
    await postgres.restart()
    expect(postgres.port).not.toBe(port)
    expect(await setting('port')).toBe(String(postgres.port))
    await release()
  })

  it('is stopped twice without harm, and then receives no signal', async () => {
    for (const server of [postgres, nats]) {
      await server.stop()
      await server.stop()
      expect(server.kill('SIGTERM')).toBe(false)
      await server.restart()
    }
  })

  it('says in its own words why it does not start', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'concord-private-'))
    const start = startPrivatePostgres({ dir: broken, searchPath, settings: { max_connections: 'many' } })
    await expect(start).rejects.toThrow(/did not start \(exit code 1\)[^]*max_connections/)
    rmSync(standInFor(broken), { recursive: true, force: true })
    rmSync(broken, { recursive: true })
  })

  it('leaves no data behind when removed', async () => {
    await Promise.all([postgres.remove(), nats.remove()])
    expect([existsSync(postgres.dataDir), existsSync(nats.storeDir)]).toEqual([false, false])
    expect(existsSync(standInFor(dir))).toBe(false)
  })
})
