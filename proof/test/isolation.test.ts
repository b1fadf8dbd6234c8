import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialKinds } from '../src/isolation/credentials.ts'
import { authModes, readExpectations } from '../src/isolation/expectations.ts'
import { findForeign, NOTHING } from '../src/isolation/foreign.ts'
import {
  keyIdOf,
  neverIssued,
  relabelled,
  requireSameChecksum,
  withBadChecksum,
  withWrongSecret,
} from '../src/isolation/forged-keys.ts'
import { WITHOUT_TENANT_FILTERS } from '../src/isolation/locks.ts'
import { servedRoutes } from '../src/isolation/routes.ts'
import type { RouteClass } from '../src/isolation/routes.ts'
import type { Twin, Twins } from '../src/isolation/twins.ts'
import { createWire } from '../src/isolation/wire.ts'
import type { Answer, WireRequest } from '../src/isolation/wire.ts'
import { withMutatedRepository } from '../src/mutation.ts'

describe('the table of expectations', () => {
  it('has one row for every kind of credential and none for anything else', () => {
    expect(readExpectations().kinds.toSorted()).toEqual([...credentialKinds].toSorted())
  })

  it('says something of every credential on every class of route in every mode', () => {
    const { outcome } = readExpectations()
    const classes: RouteClass[] = ['open', 'api', 'admin', 'admin + tenant key', 'internals']
    const cells = credentialKinds.flatMap((kind) =>
      classes.flatMap((each) => authModes.map((mode) => outcome(kind, { class: each, mode }))),
    )
    expect(cells).toHaveLength(credentialKinds.length * classes.length * authModes.length)
  })

  it('refuses a row that is written twice, a cell that is missing and a word it does not know', () => {
    const place = { class: 'open', mode: 'key' } as const
    expect(() => readExpectations('credential | open\nnothing | ok\nnothing | 401')).toThrow(/twice/)
    expect(() => readExpectations('credential | admin\nnothing | 401').outcome('nothing', place)).toThrow(
      /write it down/,
    )
    expect(() => readExpectations('credential | open\nnothing | fine').outcome('nothing', place)).toThrow(
      /"fine"/,
    )
  })
})

describe('the search for foreign bytes', () => {
  const request: WireRequest = { method: 'GET', path: '/api/scopes', headers: [] }
  const twins: Twins = {
    left: twin('left'),
    right: twin('right'),
    nobody: { tenantId: 'nobody', scopeId: 'nothing', keyId: 'none' },
  }
  const asLeft = { ...NOTHING, content: [twins.left] }
  const answer = (body: string, headers: Answer['headers'] = []): Answer => ({ status: 200, headers, body })

  it('counts every occurrence in the body and in the headers', () => {
    const shown = answer('{"a":"right-content","b":"right-content"}', [['Location', '/x/right-content']])
    expect(findForeign(twins, asLeft, request, shown).bytes).toBe(3 * 'right-content'.length)
  })

  it('finds what is hidden in a cursor', () => {
    const cursor = Buffer.from('["right-content"]').toString('base64url')
    expect(findForeign(twins, asLeft, request, answer(`{"next_cursor":"${cursor}"}`)).marks).toEqual([
      'right-content',
    ])
  })

  it('lets a tenant see its own content, but neither names nor keys', () => {
    expect(findForeign(twins, asLeft, request, answer('left-content')).bytes).toBe(0)
    expect(findForeign(twins, asLeft, request, answer('left-name left-key')).marks).toEqual([
      'left-name',
      'left-key',
    ])
  })

  it('lets nobody see a whole key', () => {
    const everything = { names: [twins.left], keys: [twins.left], content: [twins.left] }
    expect(findForeign(twins, everything, request, answer('left-secret')).marks).toEqual(['left-secret'])
  })

  it('lets the caller have back what it sent, in the path, a header, the body or a cursor', () => {
    const cursor = Buffer.from('["right-content"]').toString('base64url')
    const senders: Partial<WireRequest>[] = [
      { path: '/api/scopes/right-content' },
      { headers: [['X-Tenant-ID', 'right-content']] },
      { body: '"right-content"' },
      { path: `/api/scopes?cursor=${cursor}` },
    ]
    for (const sent of senders) {
      expect(findForeign(twins, asLeft, { ...request, ...sent }, answer('right-content')).bytes).toBe(0)
    }
  })
})

describe('forged keys', () => {
  const real = neverIssued('t')

  it('carry the right checksum where only the secret is to be wrong', () => {
    for (const forged of [real, withWrongSecret(real), relabelled(real, 'a')]) {
      expect(() => requireSameChecksum(forged)).not.toThrow()
    }
    expect(withWrongSecret(real)).not.toBe(real)
    expect(keyIdOf(withWrongSecret(real))).toBe(keyIdOf(real))
    expect(relabelled(real, 'a').slice(0, -6)).toBe(real.slice(0, -6).replace('ck_t_', 'ck_a_'))
  })

  it('carry a wrong checksum where that is to be wrong', () => {
    expect(() => requireSameChecksum(withBadChecksum(real))).toThrow(/another checksum/)
  })
})

describe('the routes to attack', () => {
  const document = (security: unknown, parameters: unknown[] = []): Answer => ({
    status: 200,
    headers: [],
    body: JSON.stringify({
      paths: {
        '/api/things/{thingId}': {
          get: { operationId: 'getThing', security, parameters, responses: { 200: {} } },
        },
      },
    }),
  })

  it('are sorted by the credentials that they document', () => {
    const [route] = servedRoutes(document([{ BearerAuth: [] }, { TenantApiKey: [] }]))
    expect(route).toMatchObject({ class: 'api', method: 'GET', parameters: ['thingId'], success: 200 })
  })

  it('are not attacked by halves: one that asks for something new stops the run', () => {
    expect(() => servedRoutes(document([{ Cookie: [] }]))).toThrow(/getThing.*no column/s)
    const required = [{ in: 'header', name: 'X-Tenant-ID', required: true }]
    const security = [{ BearerAuth: [] }, { TenantApiKey: [] }]
    expect(() => servedRoutes(document(security, required))).toThrow(/X-Tenant-ID/)
  })
})

describe('the wire', () => {
  const wire = createWire()
  const server = createServer((request, response) => response.end(JSON.stringify(request.rawHeaders)))
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    wire.close()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  })

  it('sends repeated headers as they are', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const headers = [['X-Tenant-ID', 'one'] as const, ['X-Tenant-ID', 'two'] as const]
    const { body } = await wire.send(url, { method: 'GET', path: '/', headers })
    expect(body).toContain('"X-Tenant-ID","one","X-Tenant-ID","two"')
  })
})

describe('a copy without tenant filters', () => {
  it('has no statement left that compares a tenant, and still uses every parameter', async () => {
    await withMutatedRepository([WITHOUT_TENANT_FILTERS], async (copy) => {
      const statements = await readAll(join(copy, 'service', 'src', 'store'))
      expect(statements).not.toMatch(/\btenant_id = \$\d+(?!\d|::)/)
      expect(statements).toMatch(/where \$1::uuid is not null and scope_id = \$2/)
    })
  })
})

function twin(name: string): Twin {
  const mark = (kind: string) => [`${name}-${kind}`]
  return {
    tenantId: name,
    key: '',
    expiredKey: '',
    revokedKey: '',
    targetKeyIds: [],
    ownScopeIds: [],
    cursors: [],
    marks: { names: mark('name'), keys: mark('key'), content: mark('content'), secrets: mark('secret') },
  }
}

async function readAll(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'))
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n')
}
