/** The routes of the specification, copied by hand, against the operations. */
import { describe, expect, test } from 'vitest'
import { allOperations, operations, type OperationName, type Operation } from '../src/index.ts'

type Row = readonly [name: OperationName, route: string, tier: string, status: number, also?: 'tenant key']

/** Sections 4.1 to 4.3: 4 public, 16 admin, 11 internals. */
const routes: readonly Row[] = [
  ['getPublicHealth', 'GET /api/health', 'public', 200],
  ['ingestDocument', 'POST /api/ingest', 'public', 202],
  ['registerDocument', 'POST /api/documents', 'public', 201],
  ['reportContradiction', 'POST /api/contradictions', 'public', 201],

  ['getAdminHealth', 'GET /admin/health', 'admin', 200],
  ['getAdminControlPlaneHealth', 'GET /admin/control-plane/health', 'admin', 200],
  ['createTenant', 'POST /admin/tenants', 'admin', 201],
  ['listScopes', 'GET /admin/scopes', 'admin', 200, 'tenant key'],
  ['createScope', 'POST /admin/scopes', 'admin', 201, 'tenant key'],
  ['attachDocument', 'POST /admin/scopes/{scopeId}/documents', 'admin', 201, 'tenant key'],
  ['triggerIngest', 'POST /admin/scopes/{scopeId}/ingest', 'admin', 200, 'tenant key'],
  ['getScopeSummary', 'GET /admin/scopes/{scopeId}/summary', 'admin', 200, 'tenant key'],
  ['getScopeMetrics', 'GET /admin/scopes/{scopeId}/metrics', 'admin', 200, 'tenant key'],
  ['streamScopeEvents', 'GET /admin/scopes/{scopeId}/events', 'admin', 200, 'tenant key'],
  ['resetScope', 'POST /admin/scopes/{scopeId}/reset', 'admin', 200, 'tenant key'],
  ['startRuntime', 'POST /admin/runtime/start', 'admin', 200],
  ['pauseRuntime', 'POST /admin/runtime/pause', 'admin', 200],
  ['resumeRuntime', 'POST /admin/runtime/resume', 'admin', 200],
  ['stopRuntime', 'POST /admin/runtime/stop', 'admin', 200],
  ['restartRuntime', 'POST /admin/runtime/restart', 'admin', 200],

  ['getInternalsHealth', 'GET /internals/health', 'internals', 200],
  ['getKernelHealth', 'GET /internals/kernel/health', 'internals', 200],
  ['getHatcherySnapshot', 'GET /internals/kernel/hatchery/snapshot', 'internals', 200],
  ['streamKernelEvents', 'GET /internals/kernel/events', 'internals', 200],
  ['getKernelConvergence', 'GET /internals/kernel/convergence', 'internals', 200],
  ['getControlPlaneHealth', 'GET /internals/kernel/control-plane/health', 'internals', 200],
  ['startTenantRuntime', 'POST /internals/kernel/runtime/start', 'internals', 200, 'tenant key'],
  ['pauseTenantRuntime', 'POST /internals/kernel/runtime/pause', 'internals', 200, 'tenant key'],
  ['resumeTenantRuntime', 'POST /internals/kernel/runtime/resume', 'internals', 200, 'tenant key'],
  ['stopTenantRuntime', 'POST /internals/kernel/runtime/stop', 'internals', 200, 'tenant key'],
  ['restartTenantRuntime', 'POST /internals/kernel/runtime/restart', 'internals', 200, 'tenant key'],
]

/** Section 9: the deprecated path, and the route it stands for. */
const aliases = [
  ['/internals/events', 'GET /internals/kernel/events'],
  ['/internals/convergence', 'GET /internals/kernel/convergence'],
  ['/internals/hatchery/snapshot', 'GET /internals/kernel/hatchery/snapshot'],
  ['/internals/control-plane/health', 'GET /internals/kernel/control-plane/health'],
] as const

const routeOf = (operation: Operation): string => `${operation.method} ${operation.path}`

test('the tables above hold the 35 routes of the specification', () => {
  expect(routes.length + aliases.length).toBe(35)
  expect(new Set(routes.map(([, route]) => route)).size).toBe(31)
})

describe.each(routes.map(([name, route, tier, status, also]) => ({ name, route, tier, status, also })))(
  '$name',
  (row) => {
    const { name, route, tier, status, also } = row
    const operation: Operation = operations[name]

    test(`is ${route} of the ${tier} tier`, () => {
      expect([routeOf(operation), operation.tier, operation.extension]).toEqual([route, tier, undefined])
    })

    test(`answers ${status} when all is well`, () => {
      expect(operation.answers).toHaveProperty(String(status))
    })

    test(`needs ${also ?? 'no tenant key'} beside the credential of its tier`, () => {
      expect(operation.tenantKey ?? false).toBe(also !== undefined)
    })
  },
)

test('POST /api/ingest requires X-Tenant-ID, and no other route does', () => {
  const names = allOperations.filter((each) => each.tenantIdRequired).map((each) => each.name)
  expect(names).toEqual(['ingestDocument'])
})

test('the three streams are event streams, and nothing else of the specification is', () => {
  const streams = routes.filter(([name]) => (operations[name] as Operation).answers[200] === 'event-stream')
  expect(streams.map(([name]) => name)).toEqual(['streamScopeEvents', 'streamKernelEvents'])
})

test('each deprecated path is an alias of its replacement, with a day it was deprecated and a later one it goes', () => {
  const found = allOperations.flatMap((each) =>
    (each.aliases ?? []).map(({ path }) => `${path} -> ${routeOf(each)}`),
  )
  expect(found.toSorted()).toEqual(aliases.map(([path, route]) => `${path} -> ${route}`).toSorted())
  for (const { deprecatedOn, sunsetOn } of allOperations.flatMap((each) => each.aliases ?? [])) {
    expect(Date.parse(sunsetOn)).toBeGreaterThan(Date.parse(deprecatedOn))
  }
})

test('a route that the specification does not have is marked as an extension', () => {
  const known = new Set<string>(routes.map(([name]) => name))
  const beyond = allOperations.filter((each) => !known.has(each.name))
  expect(beyond.filter((each) => !each.extension).map((each) => each.name)).toEqual([])
  expect(beyond.length).toBe(allOperations.length - 31)
})

describe('answers that the specification describes', () => {
  const tenant = {
    tenant_id: '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66',
    api_key: 'k',
    key_prefix: 'p',
    message: 'm',
  }

  test.each([
    ['CreateTenantResponse', operations.createTenant.answers[201], tenant],
    ['HealthResponse', operations.getPublicHealth.answers[200], { status: 'ok' }],
    ['TierHealthResponse', operations.getAdminHealth.answers[200], { status: 'ok', tier: 'admin' }],
    [
      'TierHealthResponse',
      operations.getInternalsHealth.answers[200],
      { status: 'ok', tier: 'x', authTier: null },
    ],
  ])('%s may carry more than its fields, and lacks none of those that are required', (_, schema, body) => {
    expect(schema.safeParse({ ...body, more: 1 }).success).toBe(true)
    for (const field of Object.keys(body).filter((each) => each !== 'authTier')) {
      expect(schema.safeParse({ ...body, [field]: undefined }).success).toBe(false)
    }
  })
})
