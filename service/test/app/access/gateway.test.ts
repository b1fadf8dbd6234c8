import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  authenticateGateway,
  createNonceSweep,
  signRequest,
  trustTenantId,
} from '../../../src/app/access/gateway.ts'
import type { GatewayDeps, SignedRequest } from '../../../src/app/access/gateway.ts'
import { openPools } from '../../../src/store/pools.ts'
import { useDatabase } from '../../support/database.ts'
import { faultOf } from '../../support/faults.ts'
import { createMemoryLog, silentLog } from '../../support/log.ts'
import { makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const secret = randomBytes(32)
const NOW = 1_800_000_000_000
let tenant: TestTenant
let request: SignedRequest

beforeAll(async () => {
  tenant = await makeTenant(pools())
})

beforeEach(() => {
  request = {
    method: 'POST',
    path: '/api/ingest?dry=1',
    tenantId: tenant.tenantId,
    bodyHash: createHash('sha256').update('{}').digest('hex'),
    timestamp: String(NOW / 1_000),
    nonce: randomBytes(16).toString('base64url'),
  }
})

const deps = (): GatewayDeps => ({ registry: pools().registry, secrets: [secret], nowMs: () => NOW })

const enter = (changed: Partial<SignedRequest> = {}, signature = signRequest(secret, request)) =>
  authenticateGateway(deps(), { ...request, ...changed }, signature)

/** Signed rightly after the change: only its content is at stake. */
const enterSigned = (changed: Partial<SignedRequest>) =>
  enter(changed, signRequest(secret, { ...request, ...changed }))

describe('a signature', () => {
  it('is the HMAC of six lines that any gateway can compute', () => {
    const { method, path, tenantId, bodyHash, timestamp, nonce } = request
    const lines = `${method}\n${path}\n${tenantId}\n${bodyHash}\n${timestamp}\n${nonce}`
    expect(signRequest(secret, request)).toBe(createHmac('sha256', secret).update(lines).digest('hex'))
  })

  it('lets the tenant in that it names', async () => {
    expect(await enter()).toEqual({ tier: 'tenant', actor: 'gateway', tenantId: tenant.tenantId })
  })

  it('by the older secret lets in as well, while both are configured', async () => {
    const changing = { ...deps(), secrets: [randomBytes(32), secret] }
    expect(await authenticateGateway(changing, request, signRequest(secret, request))).toMatchObject({
      tenantId: tenant.tenantId,
    })
  })

  it('of another secret is refused', async () => {
    expect(await faultOf(enter({}, signRequest(randomBytes(32), request)))).toBe('gateway_signature_invalid')
  })

  it.each(['', 'x', '0'.repeat(63), '0'.repeat(64), 'G'.repeat(64)])('%j is refused', async (signature) => {
    expect(await faultOf(enter({}, signature))).toBe('gateway_signature_invalid')
  })

  it('in capital letters is refused, since one request has one signature', async () => {
    expect(await faultOf(enter({}, signRequest(secret, request).toUpperCase()))).toBe(
      'gateway_signature_invalid',
    )
  })
})

describe('a request that was changed on its way', () => {
  it.each([
    ['method', { method: 'GET' }],
    ['path', { path: '/api/ingest?dry=0' }],
    ['tenant', { tenantId: randomUUID() }],
    ['body', { bodyHash: createHash('sha256').update('{"a":1}').digest('hex') }],
    ['instant', { timestamp: String(NOW / 1_000 + 1) }],
    ['nonce', { nonce: randomBytes(16).toString('base64url') }],
  ])('in its %s is refused', async (_, changed) => {
    expect(await faultOf(enter(changed))).toBe('gateway_signature_invalid')
  })

  it('spends no nonce, so that only the gateway can fill the table', async () => {
    await faultOf(enter({ path: '/elsewhere' }))
    const counted = countQueries(pools().registry)
    await faultOf(authenticateGateway({ ...deps(), registry: counted.pool }, request, '0'.repeat(64)))
    expect(counted.count()).toBe(0)
    expect(await faultOf(enter())).toBeUndefined()
  })
})

describe('the age of a request', () => {
  it.each([-60, -59, 0, 59, 60])('of %d seconds is accepted', async (age) => {
    expect(await faultOf(enterSigned({ timestamp: String(NOW / 1_000 - age) }))).toBeUndefined()
  })

  it.each([-3_600, -61, 61, 3_600])('of %d seconds is refused', async (age) => {
    const timestamp = String(NOW / 1_000 - age)
    expect(await faultOf(enterSigned({ timestamp }))).toBe('gateway_signature_invalid')
  })

  it.each(['', 'now', '1e9', '-1', '1800000000.5', ' 1800000000', '0x6b49d200'])(
    'is not read from %j',
    async (timestamp) => {
      expect(await faultOf(enterSigned({ timestamp }))).toBe('gateway_signature_invalid')
    },
  )
})

describe('a replay', () => {
  it('is refused on the same replica and on another', async () => {
    const replica = openPools({ url: database().url('api'), size: 2, log: silentLog })
    expect(await faultOf(enter())).toBeUndefined()
    expect(await faultOf(enter())).toBe('gateway_signature_invalid')
    const elsewhere = authenticateGateway(
      { ...deps(), registry: replica.registry },
      request,
      signRequest(secret, request),
    )
    expect(await faultOf(elsewhere)).toBe('gateway_signature_invalid')
    await replica.close()
  })

  it('is accepted once when many arrive at the same moment on two replicas', async () => {
    const replica = openPools({ url: database().url('api'), size: 2, log: silentLog })
    const signature = signRequest(secret, request)
    const arrivals = Array.from({ length: 20 }, (_, index) =>
      authenticateGateway(
        { ...deps(), registry: index % 2 === 0 ? replica.registry : pools().registry },
        request,
        signature,
      ),
    )
    const outcomes = await Promise.all(arrivals.map(faultOf))
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
    await replica.close()
  })

  it.each(['', 'short', 'x'.repeat(65), 'with spaces in it!', 'with\nline\nfeeds\nin'])(
    'cannot hide behind the nonce %j',
    async (nonce) => {
      expect(await faultOf(enterSigned({ nonce }))).toBe('gateway_signature_invalid')
    },
  )
})

describe('a tenant that is only named', () => {
  it('must exist', async () => {
    expect(await faultOf(enterSigned({ tenantId: randomUUID() }))).toBe('credential_invalid')
    expect(await faultOf(trustTenantId(pools().registry, randomUUID(), 'x'))).toBe('credential_invalid')
  })

  it.each(['', 'default', "' or true --", '6F8D0C5E-2B1A-4D57-9A3C-0E4B7D1F2A66'])(
    'must be named by an id, not by %j',
    async (tenantId) => {
      expect(await faultOf(trustTenantId(pools().registry, tenantId, 'x'))).toBe('credential_invalid')
    },
  )

  it('appears as the gateway that signed it', async () => {
    const caller = await trustTenantId(pools().registry, tenant.tenantId, 'insecure-tenant-id')
    expect(caller).toMatchObject({ tier: 'tenant', actor: 'insecure-tenant-id' })
  })
})

describe('the sweep of old nonces', () => {
  it('removes them once a minute, and survives a database that is away', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { log, lines } = createMemoryLog()
    const counted = countQueries(pools().registry)
    const sweep = createNonceSweep(counted.pool, log)
    await sweep.start()
    counted.failNext(new Error('away'))
    vi.advanceTimersByTime(60_000)
    await vi.waitUntil(() => lines().length === 1)
    await asRole(database(), 'registrar', (client) =>
      client.query(`insert into gateway_nonces values ('old', now() - interval '1 hour')`),
    )
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    await vi.waitUntil(async () => {
      const { rows } = await pools().registry.query(`select from gateway_nonces where nonce = 'old'`)
      return rows.length === 0
    })
    await sweep.stop()
    expect(counted.count()).toBe(2)
  })
})
