/** Claims on the whole way: sent over HTTP, read in a child process, compared in Postgres, and told on the stream. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { bearer, callApi, jsonBody } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, startApiProcess } from '../support/process.ts'
import { removeStream } from '../support/queue.ts'
import { openStream } from '../support/streams.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const pools = usePools(database)

afterAll(() => removeStream(processEnv(database())['SUBJECT_PREFIX'] ?? ''))

describe('two letters that do not agree', () => {
  it('are read and compared, with events, and the quotes are at their stated positions', async () => {
    const tenant = await makeTenant(pools())
    await makeScope(pools(), tenant, 'default')
    const up = await startApiProcess({ ...processEnv(database()), READERS: '1' }, 'up')
    const own = { ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId }
    const stream = await openStream(`${up.url}/api/scopes/default/events?after=0`, own)
    const texts: Record<string, string> = {
      first: 'Note 🎈 of 4 May 2025\n\nThe revenue of Borealis Ltd for 2024 was EUR 12.4m.',
      second: 'Note of 5 May 2025\n\nThe revenue of Borealis Ltd for 2024 was EUR 14.9m.',
    }
    for (const [documentId, text] of Object.entries(texts)) {
      const { headers, ...rest } = jsonBody({
        scope_id: 'default',
        name: documentId,
        text,
        document_id: documentId,
      })
      const answer = await callApi(`${up.url}/api/ingest`, { ...rest, headers: { ...headers, ...own } })
      expect(answer.status).toBe(202)
      await stream.untilEvent('document.processed', documentId, 30_000)
    }
    const answer = await callApi(`${up.url}/api/scopes/default/contradictions`, { headers: own })
    expect(answer.status).toBe(200)
    const { items } = answer.body as unknown as { items: { a: Side; b: Side; relation: string }[] }
    expect(items.map(({ relation }) => relation)).toEqual(['conflict'])
    for (const side of items.flatMap(({ a, b }) => [a, b]))
      expect(
        Array.from(texts[side.document_id] ?? '')
          .slice(side.start, side.end)
          .join(''),
      ).toBe(side.quote)
    await stream.close()
    up.signal('SIGTERM')
    await up.exited
  })
})

interface Side {
  readonly document_id: string
  readonly quote: string
  readonly start: number
  readonly end: number
}
