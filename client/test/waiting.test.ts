/** Waiting for documents, and following them through an API that dies. */
import { describe, expect, it, vi } from 'vitest'
import { createClient, DocumentNotProcessed, TimedOut } from '../src/index.ts'
import { makeWorld, useService } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const service = useService()
const text = 'Borealis Ltd had revenue of EUR 12.4m in 2025.'
const document = { scope_id: 'first-case', document_id: 'report', name: 'Report', text }

describe('ingestAndWait', () => {
  it('gives the record of the document once it is processed, and the same when repeated', async () => {
    const { concord } = await makeWorld(service())
    const first = await concord.ingestAndWait(document)
    expect(first).toMatchObject({ document_id: 'report', status: 'processed', version: 1 })
    expect(await concord.ingestAndWait(document)).toEqual(first)
    expect(await concord.ingestAndWait({ ...document, text: 'Another text.' })).toMatchObject({ version: 2 })
  })

  it('gives up in time where nothing moves, and goes on waiting when asked again', async () => {
    const { concord } = await makeWorld(service())
    await concord.pauseRuntime({ scope_id: 'first-case' })
    await expect(concord.ingestAndWait(document, { timeoutMs: 300 })).rejects.toBeInstanceOf(TimedOut)
    const waiting = concord.waitFor({ scopeId: 'first-case', documentId: 'report' })
    await concord.resumeRuntime({ scope_id: 'first-case' })
    expect(await waiting).toMatchObject({ status: 'processed' })
  })
})

describe('waitFor', () => {
  it('gives at once what is at its end already', async () => {
    const { concord } = await makeWorld(service())
    await concord.ingestAndWait(document)
    const record = await concord.waitFor({ scopeId: 'first-case', documentId: 'report', version: 1 })
    expect(record.status).toBe('processed')
  })

  it('throws where the document comes to another end: removed, superseded, reset', async () => {
    const { concord } = await makeWorld(service())
    await concord.pauseRuntime({ scope_id: 'first-case' })
    const outcomes = []
    for (const [documentId, end] of [
      ['removed', () => concord.removeDocument({ scopeId: 'first-case', documentId: 'removed' })],
      [
        'superseded',
        () => concord.ingestDocument({ ...document, document_id: 'superseded', text: 'Newer.' }),
      ],
    ] as const) {
      await concord.ingestDocument({ ...document, document_id: documentId })
      outcomes.push(
        concord.waitFor({ scopeId: 'first-case', documentId, version: 1 }).catch((error: unknown) => error),
      )
      await end()
    }
    for (const [place, status] of ['removed', 'superseded'].entries()) {
      expect(await outcomes[place]).toBeInstanceOf(DocumentNotProcessed)
      expect(await outcomes[place]).toMatchObject({ status })
    }
    const waiting = concord.waitFor({ scopeId: 'first-case', documentId: 'superseded' })
    const outcome = waiting.catch((error: unknown) => error)
    await concord.resetScope({ scopeId: 'first-case' })
    expect(await outcome).toMatchObject({ code: 'document_not_found' })
  })

  it('throws what the service says of a document that is not there', async () => {
    const { concord } = await makeWorld(service())
    const call = concord.waitFor({ scopeId: 'first-case', documentId: 'none' })
    await expect(call).rejects.toMatchObject({ code: 'document_not_found' })
  })
})

describe('a stream', () => {
  it('tells every event once, in order, through an API that is killed again and again', async () => {
    const { concord, tenantId, tenantKey } = await makeWorld(service())
    let api = await service().startApi()
    const options = { tenantId, tenantKey, retry: { baseMs: 50, maxMs: 500, attempts: 50 } }
    const victim = createClient({ baseUrl: api.url, ...options })
    const seen: number[] = []
    const stream = victim.streamOwnScopeEvents({ scopeId: 'first-case' })
    const reading = (async () => {
      for await (const event of stream) if (event.type !== 'resync') seen.push(event.data.seq ?? -1)
    })()
    for (let kill = 0; kill < 2; kill += 1) {
      await vi.waitFor(() => expect(stream.position).toBeDefined(), 10_000)
      await concord.ingestDocument({ ...document, document_id: `before-${kill}` })
      api.signal('SIGKILL')
      await api.exited
      await concord.ingestDocument({ ...document, document_id: `meanwhile-${kill}` })
      api = await service().startApi(api.port)
      await victim.ingestAndWait({ ...document, document_id: `after-${kill}` })
    }
    const { log_head } = await concord.getOwnScope({ scopeId: 'first-case' })
    await vi.waitFor(() => expect(seen.at(-1)).toBe(log_head), 20_000)
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, place) => place + 2))
    stream.close()
    await reading
    api.signal('SIGKILL')
    await api.exited
  })
})
