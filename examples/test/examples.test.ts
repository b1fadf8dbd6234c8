/** Every program of this folder runs as its user would run it, against a real service. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@concord/client'
import type { Concord } from '@concord/client'
import { startChild, startWholeService, waitUntil } from '@concord/tools/launch'
import type { Child, WholeService } from '@concord/tools/launch'
import { testServices } from '@concord/tools/testing'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

let service: WholeService
let concord: Concord
let env: Record<string, string>
let folder: string

beforeAll(async () => {
  service = await startWholeService(testServices(), inject('templateDatabase'))
  const { url: baseUrl, adminKey } = service
  const tenant = await createClient({ baseUrl, adminKey }).createTenant({ name: 'A tenant' })
  const { tenant_id: tenantId, api_key: tenantKey } = tenant
  concord = createClient({ baseUrl, adminKey, tenantId, tenantKey })
  env = { CONCORD_URL: baseUrl, TENANT_ID: tenantId, TENANT_KEY: tenantKey }
  folder = await mkdtemp(join(tmpdir(), 'concord-examples-'))
})

afterAll(async () => {
  await service?.remove()
  if (folder) await rm(folder, { recursive: true, force: true })
})

function start(program: string, ...words: string[]): Child {
  const args = [join(import.meta.dirname, '..', program), ...words]
  return startChild({ command: process.execPath, args, env })
}

async function run(program: string, ...words: string[]) {
  const child = start(program, ...words)
  const { code } = await child.exited
  return { code, output: child.output() }
}

async function statuses(scopeId: string): Promise<Record<string, string>> {
  const { items } = await concord.listDocuments({ scopeId })
  return Object.fromEntries(
    items.map(({ document_id, status, version }) => [document_id, `${status} ${version}`]),
  )
}

const disagreeing = {
  report: 'Borealis Ltd had revenue of EUR 12.4m in 2025.',
  memo: 'The revenue of Borealis Ltd in 2025 was EUR 2.9m.',
  staff: 'Borealis Ltd had 120 employees in 2025.',
  survey: 'In 2025 Borealis Ltd had 250 employees.',
}

/** A test may be tried twice, so each try has a scope of its own. */
async function makeScope() {
  const scope = `scope-${randomUUID()}`
  await concord.createScope({ scope_id: scope })
  const ingest = async (id: keyof typeof disagreeing) => {
    await concord.ingestAndWait({ scope_id: scope, document_id: id, name: id, text: disagreeing[id] })
  }
  return { scope, ingest }
}

describe('nightly-sync.ts', () => {
  it('makes the scope what the folder is, again and again, and leaves alone what others sent', async () => {
    const { scope, ingest } = await makeScope()
    await ingest('report')
    const own = await mkdtemp(join(folder, 'synced-'))
    await mkdir(join(own, 'sub'))
    await writeFile(join(own, 'a.txt'), 'Lorem ipsum.')
    await writeFile(join(own, 'b.md'), '# Title\n\nLorem ipsum.')
    await writeFile(join(own, 'sub', 'c.txt'), 'Dolor sit amet.')
    await writeFile(join(own, 'd.bin'), 'not a text')
    expect(await run('nightly-sync.ts', own, scope)).toMatchObject({
      code: 0,
      output: expect.stringContaining('3 files, 0 removed, 0 not read'),
    })
    await writeFile(join(own, 'a.txt'), 'Something else.')
    await rm(join(own, 'b.md'))
    expect((await run('nightly-sync.ts', `${own}/`, scope)).output).toContain('2 files, 1 removed')
    const after = {
      report: 'processed 1',
      'sync/a.txt': 'processed 2',
      'sync/b.md': 'removed 1',
      'sync/sub/c.txt': 'processed 1',
    }
    expect(await statuses(scope)).toEqual(after)

    // The folder looks like one that was not mounted.
    const empty = await mkdtemp(join(folder, 'empty-'))
    const { code, output } = await run('nightly-sync.ts', empty, scope)
    expect([code, output]).toEqual([1, expect.stringContaining('nothing was changed')])
    expect(await statuses(scope)).toEqual(after)
  })
})

describe('gate.ts', () => {
  it('passes while nothing severe is open, fails and shows both quotes when something is', async () => {
    const { scope, ingest } = await makeScope()
    await ingest('report')
    expect((await run('gate.ts', scope, 'low')).code).toBe(0)
    await ingest('memo')
    const { items } = await concord.listContradictions({ scopeId: scope })
    expect(items).toHaveLength(1)
    const found = await run('gate.ts', scope, items[0]?.severity ?? '')
    expect(found.code).toBe(1)
    expect(found.output).toContain(disagreeing.report)
    expect(found.output).toContain(disagreeing.memo)
    await concord.resolveContradiction({
      scopeId: scope,
      contradictionId: items[0]?.contradiction_id ?? '',
      outcome: 'dismissed',
      reason: 'A test.',
    })
    expect((await run('gate.ts', scope, 'low')).code).toBe(0)
  })

  it('ends with 2 while claims wait to be compared', async () => {
    const summary = {
      documents: { by_status: { queued: 0, processing: 0 } },
      convergence: { comparisons_pending: 1, comparisons_held: { not_permitted: 0, over_budget: 0 } },
      items: [],
      next_cursor: null,
    }
    const waiting = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(summary)),
    )
    await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve))
    const address = waiting.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const child = startChild({
      command: process.execPath,
      args: [join(import.meta.dirname, '..', 'gate.ts'), 'a-scope'],
      env: { ...env, CONCORD_URL: url },
    })
    const { code } = await child.exited
    waiting.close()
    expect([code, child.output()]).toEqual([2, expect.stringContaining('1 comparisons')])
  })

  it('ends with 2 where it cannot tell', async () => {
    const { code, output } = await run('gate.ts', 'no-such-scope')
    expect([code, output]).toEqual([2, expect.stringContaining('scope_not_found')])
    expect((await run('gate.ts')).code).toBe(2)
  })
})

describe('forward.ts', () => {
  it('posts each new contradiction until it is taken, and goes on there after a kill', async () => {
    const posted: { id: string; contradictionId: string }[] = []
    let refuse = 1
    const receiver = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
      request.on('end', () => {
        const { contradiction_id } = JSON.parse(body) as { contradiction_id: string }
        posted.push({ id: String(request.headers['webhook-id']), contradictionId: contradiction_id })
        response.writeHead(refuse-- > 0 ? 503 : 204).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const address = receiver.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
    const file = join(await mkdtemp(join(folder, 'forward-')), 'position')
    const started: Child[] = []
    const position = async () => Number(await readFile(file, 'utf8').catch(() => '0'))
    const { scope, ingest } = await makeScope()
    try {
      const first = start('forward.ts', scope, url, file)
      started.push(first)
      await ingest('report')
      await ingest('memo')
      const caughtUp = async () => {
        const { log_head } = await concord.getOwnScope({ scopeId: scope })
        return (await position()) === log_head
      }
      await waitUntil(caughtUp, { what: 'the log being forwarded', withinMs: 20_000 })
      first.signal('SIGKILL')
      await first.exited
      // Refused once, so posted twice, under one name.
      expect(posted).toHaveLength(2)
      expect(new Set(posted.map(({ id }) => id)).size).toBe(1)

      await ingest('staff')
      await ingest('survey')
      const second = start('forward.ts', scope, url, file)
      started.push(second)
      await waitUntil(caughtUp, { what: 'the rest being forwarded', withinMs: 20_000 })
      const { items } = await concord.listContradictions({ scopeId: scope })
      expect(items.length).toBeGreaterThan(1)
      const told = posted.slice(1).map(({ contradictionId }) => contradictionId)
      expect(told.toSorted()).toEqual(items.map(({ contradiction_id }) => contradiction_id).toSorted())
    } finally {
      await Promise.all(started.map((child) => child.stop()))
      receiver.close()
      receiver.closeAllConnections()
    }
  })
})
