import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { describeAdvisories } from './advisories.ts'

vi.setConfig({ testTimeout: 60_000 })

const root = join(import.meta.dirname, '..', '..')
let registry: Server | undefined

afterEach(() => {
  registry?.closeAllConnections()
  registry?.close()
})

/** Answers as a registry does that knows these advisories. */
async function startRegistry(answer: (names: readonly string[]) => unknown): Promise<string> {
  registry = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces)
      const isPacked = request.headers['content-encoding'] === 'gzip'
      const asked: unknown = body.length > 0 ? JSON.parse(String(isPacked ? gunzipSync(body) : body)) : {}
      response.setHeader('content-type', 'application/json')
      // npm reads about the packages themselves as well, to say what would mend them.
      const name = decodeURIComponent(request.url ?? '').slice(1)
      const isAsked = request.method === 'POST'
      response.end(JSON.stringify(isAsked ? answer(Object.keys(Object(asked))) : { name, versions: {} }))
    })
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const address = registry.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
}

const ask = (url: string) => describeAdvisories(root, ['--registry', url, '--fetch-retries', '0'])

describe('advisories', () => {
  it('are none where the registry knows none', async () => {
    expect(await ask(await startRegistry(() => ({})))).toContain('none against the packages')
  })

  it('are counted where the registry knows some', async () => {
    const advisory = { id: 1, url: 'x', title: 'bad', severity: 'high', vulnerable_versions: '*' }
    const url = await startRegistry((names) => (names.includes('pg') ? { pg: [advisory] } : {}))
    expect(await ask(url)).toMatch(/^== advisories: [1-9]\d* against the packages/)
  })

  it('are skipped with the reason where the registry does not answer', async () => {
    expect(await ask('http://127.0.0.1:9/')).toBe(
      '== advisories: skipped, the registry does not offer it or does not answer',
    )
  })
})
