/** Twin tenants with the same scope, the same document ids and the same keys: neither ever meets the other's documents. */
import { beforeAll, describe, expect, it } from 'vitest'
import { untilEvent } from '../../events.ts'
import type { AcceptanceEventStream } from '../../http/event-stream.ts'
import { walk } from '../../rules/pages.ts'
import { createSubject } from '../../subject.ts'
import { asTenant, documentBody, newDocumentId, register, untilEnded } from '../../world/documents.ts'
import type { Detail } from '../../world/documents.ts'
import { asAdminOf, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const accepting = createSubject('ingestDocument')
const one = createSubject('getDocument')
const list = createSubject('listDocuments')
const removing = createSubject('removeDocument')
const triggering = createSubject('triggerIngest')
const mine = createSubject('streamOwnScopeEvents')
const administered = createSubject('streamScopeEvents')

const scopeId = newScopeId()
const shared = ['alpha', 'beta', 'gamma']
const mark = { left: 'canary-left', right: 'canary-right' } as const
type Side = keyof typeof mark
const sides = [
  ['left', 'right'],
  ['right', 'left'],
] as const

let twins: Readonly<Record<Side, Tenant>>

const ingest = async (side: Side, documentId: string, more: object = {}) => {
  const fields = { document_id: documentId, name: mark[side], text: `${mark[side]} says so.`, ...more }
  const reply = await accepting.call({ headers: asTenant(twins[side]), body: documentBody(scopeId, fields) })
  return accepting.expectAnswer(reply, 202)
}
const ask = (side: Side, documentId: string) => ({
  headers: bearer(twins[side].key),
  params: { scopeId, documentId },
})

beforeAll(async () => {
  const [left, right] = await Promise.all([createTenant('twin'), createTenant('twin')])
  twins = { left, right }
  for (const [side] of sides) await createScope(twins[side], scopeId)
  // At the same moment, so that both are written and read together wherever the service does such things.
  const both = sides.flatMap(([side]) => [...shared, `only-${side}`].map((id) => [side, id] as const))
  await Promise.all(both.map(([side, id]) => ingest(side, id)))
  await Promise.all(both.map(([side, id]) => untilEnded(twins[side], scopeId, id)))
})

describe.each(sides)('isolation of documents: the %s twin', (side, other) => {
  it('reads under a shared id what is its own', async () => {
    for (const documentId of shared) {
      const document: Detail = one.expectAnswer(await one.call(ask(side, documentId)), 200)
      expect(document).toMatchObject({ name: mark[side], status: 'processed', version: 1 })
    }
  })

  it.each([1, 100])('lists its own documents and none of its twin, %s at a time', async (limit) => {
    const call = { headers: bearer(twins[side].key), params: { scopeId } }
    const pages = await walk<{ document_id: string; name: string }>(list, call, limit)
    const items = pages.flatMap((page) => page.items)
    expect(items.filter(({ name }) => name === mark[other])).toEqual([])
    expect(items.map(({ document_id: id }) => id)).toEqual(
      expect.arrayContaining([...shared, `only-${side}`]),
    )
  })

  it('does not find, remove or queue what only its twin has', async () => {
    const documentId = `only-${other}`
    one.expectProblem(await one.call(ask(side, documentId)), 'document_not_found')
    removing.expectProblem(await removing.call(ask(side, documentId)), 'document_not_found')
    const headers = asAdminOf(twins[side])
    const reply = await triggering.call({
      headers,
      params: { scopeId },
      body: { document_ids: [documentId] },
    })
    triggering.expectProblem(reply, 'document_not_found')
    expect(one.expectAnswer(await one.call(ask(other, documentId)), 200).status).toBe('processed')
  })

  it('removes under a shared id what is its own', async () => {
    const documentId = newDocumentId()
    await Promise.all([ingest(side, documentId), ingest(other, documentId)])
    await untilEnded(twins[other], scopeId, documentId)
    removing.expectAnswer(await removing.call(ask(side, documentId)), 200)
    expect(one.expectAnswer(await one.call(ask(other, documentId)), 200)).toMatchObject({
      status: 'processed',
      name: mark[other],
    })
  })

  it('uses the same idempotency key at the same moment for something else', async () => {
    const key = newDocumentId()
    const answers = await Promise.all(
      ([side, other] as const).flatMap((who) =>
        Array.from({ length: 5 }, () => ingest(who, `by-key-${key}`, { idempotency_key: key })),
      ),
    )
    expect(answers.map(({ name }) => name)).toEqual([
      ...Array<string>(5).fill(mark[side]),
      ...Array<string>(5).fill(mark[other]),
    ])
  })

  it.each([
    ['itself', () => mine.open({ headers: bearer(twins[side].key), params: { scopeId }, query: 'after=0' })],
    [
      'with its administrator',
      () => administered.open({ headers: asAdminOf(twins[side]), params: { scopeId }, query: 'after=0' }),
    ],
  ] as readonly (readonly [string, () => Promise<AcceptanceEventStream>])[])(
    'follows %s its own events and none of its twin',
    async (_, open) => {
      const last = newDocumentId()
      using stream = await open()
      await register(twins[other], scopeId, { document_id: `not-${last}` })
      await register(twins[side], scopeId, { document_id: last })
      const events = await untilEvent(stream, last, ({ subject }) => subject === last)
      expect(events.filter(({ data }) => data.tenant_id !== twins[side].tenantId)).toEqual([])
      expect(events.map(({ data }) => data.seq)).toEqual(events.map((_event, index) => index + 1))
      expect(events.map(({ subject }) => subject)).not.toContain(`not-${last}`)
    },
  )
})
