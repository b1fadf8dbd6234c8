import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unknownKey } from '../harness/forged-keys.ts'
import type { HttpRequest } from '../harness/http.ts'
import { mutateSources } from '../harness/mutation.ts'
import { readSources } from '../harness/mutation/markers.ts'
import { credentialHeaders } from '../proofs/isolation/credentials.ts'
import { readExpectations } from '../proofs/isolation/expectations.ts'
import { findForeign, NOTHING } from '../proofs/isolation/foreign.ts'
import { WITHOUT_TENANT_FILTERS } from '../proofs/isolation/locks.ts'
import { servedRoutes } from '../proofs/isolation/routes.ts'
import type { RouteClass } from '../proofs/isolation/routes.ts'
import { authModes } from '../proofs/isolation/service.ts'
import type { Twin, Twins } from '../proofs/isolation/twins.ts'

describe('the table of expectations', () => {
  it('names credentials that can be shown, each another', () => {
    const [own, other] = [unknownKey('t'), unknownKey('t')].map((key, at) => {
      return { ...twin(`twin${at}`), key, expiredKey: `${key} expired`, revokedKey: `${key} revoked` }
    }) as [Twin, Twin]
    const [admin, internals] = [unknownKey('a'), unknownKey('i')]
    const secrets = { gatewaySecret: Buffer.from('right'), strangeSecret: Buffer.from('wrong') }
    const keys = { admin, internals, expiredAdmin: 'expired admin', revokedAdmin: 'revoked admin' }
    const cast = { own, other, noTenantId: 'nobody', ...keys, ...secrets }
    const request = { method: 'POST', path: '/x', body: '{}' }
    const { kinds } = readExpectations()
    const shown = kinds.map((kind) => JSON.stringify(credentialHeaders(kind, cast, request)))
    expect(kinds).toHaveLength(90)
    expect(new Set(shown).size).toBe(kinds.length)
    expect(() => credentialHeaders('bearer somebody', cast, request)).toThrow(/"somebody"/)
  })

  it('says something of every credential on every class of route in every mode', () => {
    const { kinds, outcome } = readExpectations()
    const classes: RouteClass[] = [
      'open',
      'api',
      'api + tenant id',
      'admin',
      'admin + tenant key',
      'internals',
    ]
    const cells = kinds.flatMap((kind) =>
      classes.flatMap((each) => authModes.map((mode) => outcome(kind, { class: each, mode }))),
    )
    expect(cells).toHaveLength(kinds.length * classes.length * authModes.length)
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
  const request: HttpRequest = { path: '/api/scopes' }
  const twins: Twins = {
    left: twin('left'),
    right: twin('right'),
    nobody: {
      tenantId: 'nobody',
      scopeId: 'nothing',
      documentId: 'nothing',
      keyId: 'none',
      contradictionId: 'none',
    },
  }
  const asLeft = { ...NOTHING, ids: [twins.left], content: [twins.left] }
  const answer = (text: string, headers: readonly (readonly [string, string])[] = []) => {
    return { headers: new Map(headers), text }
  }

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
    expect(findForeign(twins, asLeft, request, answer('left-content left-id')).bytes).toBe(0)
    expect(findForeign(twins, asLeft, request, answer('left-name left-key')).marks).toEqual([
      'left-name',
      'left-key',
    ])
  })

  it('lets an operator see ids of all tenants, and nothing else of them', () => {
    const both = [twins.left, twins.right]
    const operator = { ...NOTHING, tenantIds: both, ids: both }
    const shown = answer('left-tenant right-tenant left-id right-id right-name left-content')
    expect(findForeign(twins, operator, request, shown).marks).toEqual(['left-content', 'right-name'])
  })

  it('lets nobody see a whole key or a text', () => {
    const all = [twins.left]
    const everything = { tenantIds: all, names: all, keys: all, deciders: all, ids: all, content: all }
    expect(findForeign(twins, everything, request, answer('left-secret')).marks).toEqual(['left-secret'])
  })

  it('lets the caller have back what it sent, in the path, a header, the body or a cursor', () => {
    const cursor = Buffer.from('["right-content"]').toString('base64url')
    const senders: Partial<HttpRequest>[] = [
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

describe('the routes to attack', () => {
  const document = (security: unknown, headers: object[] = [], responses: unknown = { 200: {} }) => {
    const parameters = headers.map((header) => ({ ...header, schema: { type: 'string' } }))
    const get = { operationId: 'getThing', security, parameters, responses }
    return { paths: { '/api/things/{thingId}': { get } } }
  }

  const tenantKey = [{ BearerAuth: [] }, { TenantApiKey: [] }]
  const tenantIdRequired = [{ in: 'header', name: 'X-Tenant-ID', required: true }]

  it('are sorted by the credentials that they document', () => {
    const [route] = servedRoutes(document(tenantKey))
    expect(route).toMatchObject({ class: 'api', method: 'GET', parameters: ['thingId'], success: 200 })
    const [strict] = servedRoutes(document(tenantKey, tenantIdRequired))
    expect(strict).toMatchObject({ class: 'api + tenant id', headers: [] })
  })

  it('tell which of them are streams, and which headers they read', () => {
    const header = { in: 'header', name: 'Last-Event-ID' }
    const stream = { content: { 'text/event-stream': {} } }
    const [route] = servedRoutes(document(tenantKey, [header], { 200: stream }))
    expect(route).toMatchObject({ isStream: true, headers: ['Last-Event-ID'] })
  })

  it('are not attacked by halves: one that asks for something new stops the run', () => {
    expect(() => servedRoutes(document([{ Cookie: [] }]))).toThrow(/getThing.*no column/s)
    expect(() => servedRoutes(document([{ BearerAuth: [] }], tenantIdRequired))).toThrow(/X-Tenant-ID/)
  })
})

describe('a copy without tenant filters', async () => {
  const sources = await readSources(join(import.meta.dirname, '..', '..'))
  const after = new Map([...sources, ...mutateSources(sources, WITHOUT_TENANT_FILTERS).changed])
  const readAll = (folder: string) =>
    [...after].flatMap(([file, text]) => (file.startsWith(folder) ? [text] : [])).join('\n')

  it('has no statement left that compares a tenant, and still uses every parameter', () => {
    const statements = readAll('service/src/store/')
    expect(statements).not.toMatch(/\btenant_id = \$\d+(?!\d|::)/)
    expect(statements).toMatch(/where \$1::uuid is not null and scope_id = \$2/)
  })

  it('has no function left that compares a tenant, and still inserts for the right one', () => {
    const functions = readAll('service/sql/functions/')
    expect(functions).not.toMatch(/tenant_id = tenant\b/)
    expect(functions).toMatch(/insert into documents as d \(tenant_id[^;]*?select tenant, scope_id/)
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
    ownDocumentIds: [],
    contradictionIds: [],
    cursors: [],
    marks: {
      tenantIds: mark('tenant'),
      names: mark('name'),
      keys: mark('key'),
      deciders: mark('decider'),
      ids: mark('id'),
      content: mark('content'),
      secrets: mark('secret'),
    },
  }
}
