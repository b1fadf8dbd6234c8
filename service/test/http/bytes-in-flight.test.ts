/** The bytes of bodies that a process has in memory: a share for a tenant, a budget for all, asked before a body is read. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { bearer, jsonBody, startTestApi } from '../support/api.ts'
import type { ApiAnswer, TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { openConnection } from '../support/sockets.ts'
import type { RawConnection } from '../support/sockets.ts'

const database = useDatabase()
const pools = usePools(database)
const LIMIT = 100_000
/** The size of a body that is begun. */
const LARGE = 90_000
/** The size of one that does not fit beside it. */
const PROBE = 15_000
let api: TestApi
let loud: TestTenant
let others: TestTenant[]
let held: RawConnection[] = []

beforeAll(async () => {
  api = await startTestApi(database(), {
    DRAIN_NOTICE_SECONDS: '0',
    SHED_LATE_MS: '0',
    LIMIT_BYTES_IN_FLIGHT: String(LIMIT),
    PROCESS_BYTES_IN_FLIGHT: String(2 * LIMIT),
  })
})
afterAll(() => api?.stop())
beforeEach(async () => {
  for (const { socket } of held) socket.destroy()
  held = []
  const all = [await makeTenant(pools()), await makeTenant(pools()), await makeTenant(pools())]
  for (const each of all) await makeScope(pools(), each, 'default')
  ;[loud, ...others] = all as [TestTenant, ...TestTenant[]]
})

const outcome = ({ status, body }: ApiAnswer) => (status < 400 ? status : `${status} ${String(body['code'])}`)

function ingest({ key, tenantId }: TestTenant, length: number): Promise<ApiAnswer> {
  const { headers, ...rest } = jsonBody({ scope_id: 'default', name: 'n', text: 'x'.repeat(length) })
  return api.call('/api/ingest', {
    ...rest,
    headers: { ...headers, ...bearer(key), 'x-tenant-id': tenantId },
  })
}

/** Sends the headers of a body of this length and the first of its bytes; the API waits for the rest. */
async function beginBody(
  { key, tenantId }: TestTenant,
  framing: string,
  start: string,
): Promise<RawConnection> {
  const connection = await openConnection(api.address)
  connection.send(
    `POST /api/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX-Tenant-ID: ${tenantId}\r\n` +
      `Content-Type: application/json\r\n${framing}\r\n\r\n${start}`,
  )
  held.push(connection)
  return connection
}

const pieces = (...texts: readonly string[]) =>
  texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('')

/**
 * Begins a body until it is counted, which a second request of that tenant shows: where the second came first, the body itself was
 * refused and is begun again.
 */
async function holdBody(tenant: TestTenant, framing: string, start: string): Promise<RawConnection> {
  for (;;) {
    const connection = await beginBody(tenant, framing, start)
    // Two round trips later it has been read, unless the machine is very busy.
    for (const other of others) await ingest(other, 10)
    if (outcome(await ingest(tenant, PROBE)) === '503 overloaded') return connection
    connection.socket.destroy()
  }
}

describe('bytes in flight', () => {
  it('of a tenant are bounded before a body is read, and given back when its client goes', async () => {
    const connection = await holdBody(loud, `Content-Length: ${LARGE}`, '{')
    const refused = await ingest(loud, PROBE)
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual(['503 overloaded', '2'])
    expect(outcome(await ingest(loud, 100))).toBe(202)
    for (const other of others) expect(outcome(await ingest(other, 50_000))).toBe(202)
    connection.socket.destroy()
    await waitUntil(async () => outcome(await ingest(loud, PROBE)) === 202, { what: 'bytes given back' })
  })

  it('of all tenants together are bounded by the budget of the process', async () => {
    const [second, third] = others
    if (!second || !third) throw new Error('There are three tenants')
    await holdBody(loud, `Content-Length: ${LARGE}`, '{')
    await holdBody(second, `Content-Length: ${LARGE}`, '{')
    expect(outcome(await ingest(third, 2 * PROBE))).toBe('503 overloaded')
    expect(outcome(await ingest(third, 100))).toBe(202)
  })

  it('that come in pieces are counted as they come', async () => {
    const chunked = 'Transfer-Encoding: chunked'
    const connection = await holdBody(loud, chunked, pieces('{"a":"', 'x'.repeat(LARGE)))
    const second = await beginBody(loud, chunked, pieces('{"a":"', 'x'.repeat(PROBE), '"}'))
    second.send('0\r\n\r\n')
    const [refused] = await second.answers(1)
    expect(refused?.status).toBe(503)
    expect(refused?.headers['retry-after']).toBe('2')
    connection.send(`${pieces('"}')}0\r\n\r\n`)
    const [finished] = await connection.answers(1)
    expect(finished?.status).toBe(422)
    expect(outcome(await ingest(loud, PROBE))).toBe(202)
  })

  it('of a body that is too large may end with its client, and the process goes on', async () => {
    const connection = await openConnection(api.address)
    held.push(connection)
    const tooLarge = pieces(...Array.from({ length: 20 }, () => 'x'.repeat(4_000)))
    connection.send(
      `POST /api/scopes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${loud.key}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${tooLarge}`,
    )
    // The rest of the body is discarded before the refusal is sent, and nothing else reads it meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 200))
    connection.socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(outcome(await ingest(loud, 100))).toBe(202)
  })

  it('let a body in that is larger than the limit while there is no other', async () => {
    expect(outcome(await ingest(loud, 100_000))).toBe(202)
  })
})
