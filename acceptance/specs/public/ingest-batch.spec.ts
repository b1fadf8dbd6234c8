/** ingestBatch: up to 100 documents in one request, each accepted or refused by itself. */
import { Problem } from '@concord/contract'
import type { ProblemCode } from '@concord/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../http/exchange.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import {
  documentBody,
  ingest,
  newDocumentId,
  readDocument,
  untilAllEnded,
  untilEnded,
} from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('ingestBatch')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const call = (...documents: readonly unknown[]) => ({ headers: bearer(tenant.key), body: { documents } })
const send = (...documents: readonly unknown[]) => subject.call(call(...documents))
const good = () => call(documentBody(scopeId))

/** In the order of the results: the id of what was accepted, the code of what was refused. */
function resultsOf(reply: Reply): readonly string[] {
  const { results, accepted, refused } = subject.expectAnswer(reply, 200)
  expect(results.filter((result) => result.accepted)).toHaveLength(accepted)
  expect(accepted + refused).toBe(results.length)
  return results.map((result) => {
    if (result.accepted) return result.document.document_id ?? ''
    const problem = Problem.parse(result.problem)
    expect(problem.request_id).toBe(reply.headers['x-request-id'])
    return problem.code
  })
}

const scopeNotFound: ProblemCode = 'scope_not_found'
const keyReused: ProblemCode = 'idempotency_key_reused'

describe('ingestBatch: 200', () => {
  it('answers for each document what ingestDocument would have answered', async () => {
    const [documentId, key] = [newDocumentId(), newDocumentId()]
    const reply = await send(
      { scope_id: scopeId, name: 'Plain', text: 'One.' },
      { ...documentBody(scopeId), type: '', document_id: documentId, idempotency_key: key, source: 'mail' },
    )
    expect(subject.expectAnswer(reply, 200)).toEqual({
      accepted: 2,
      refused: 0,
      results: [
        {
          accepted: true,
          document: expect.objectContaining({ name: 'Plain', type: 'txt', idempotency_key: null }),
        },
        {
          accepted: true,
          document: {
            scope_id: scopeId,
            name: 'Annual report',
            type: '',
            document_id: documentId,
            idempotency_key: key,
            queued: true,
            seq: expect.any(Number),
            integration_version: 'v1',
            message: expect.stringMatching(/./),
          },
        },
      ],
    })
  })

  it('takes 100, keeps their order, and gives each its own place in the log', async () => {
    const ids = Array.from({ length: 100 }, () => newDocumentId())
    const reply = await send(...ids.map((id) => documentBody(scopeId, { document_id: id })))
    expect(resultsOf(reply)).toEqual(ids)
    const seqs = subject.expectAnswer(reply, 200).results.map((each) => each.accepted && each.document.seq)
    expect(new Set(seqs).size).toBe(100)
  })

  it('takes documents of several scopes', async () => {
    const other = await createScope(tenant)
    const ids = [newDocumentId(), newDocumentId()] as const
    const results = resultsOf(
      await send(
        documentBody(scopeId, { document_id: ids[0] }),
        documentBody(other.scope_id, { document_id: ids[1] }),
      ),
    )
    expect(results).toEqual(ids)
    expect((await untilEnded(tenant, other.scope_id, ids[1])).status).toBe('processed')
  })

  it('does not ask for X-Tenant-ID', async () => {
    expect(resultsOf(await subject.call(good()))).toHaveLength(1)
  })
})

describe('ingestBatch: 200 where some are refused', () => {
  it('refuses an unknown scope and the scope of another tenant, and accepts what stands around them', async () => {
    const foreign = await createScope(await createTenant())
    const ids = [newDocumentId(), newDocumentId(), newDocumentId()] as const
    const results = resultsOf(
      await send(
        documentBody(scopeId, { document_id: ids[0] }),
        documentBody('unknown'),
        documentBody(scopeId, { document_id: ids[1] }),
        documentBody(foreign.scope_id),
        documentBody(scopeId, { document_id: ids[2] }),
      ),
    )
    expect(results).toEqual([ids[0], scopeNotFound, ids[1], scopeNotFound, ids[2]])
    for (const id of ids) expect((await untilEnded(tenant, scopeId, id)).status).toBe('processed')
  })

  it('refuses a key that belongs to another request', async () => {
    const key = newDocumentId()
    await ingest(tenant, scopeId, { idempotency_key: key })
    const documentId = newDocumentId()
    const results = resultsOf(
      await send(
        documentBody(scopeId, { idempotency_key: key, text: 'Other.' }),
        documentBody(scopeId, { document_id: documentId }),
      ),
    )
    expect(results).toEqual([keyReused, documentId])
  })

  it('refuses in its place what breaks the schema, says where, and accepts the others', async () => {
    const documentId = newDocumentId()
    const { name: _, ...nameless } = documentBody(scopeId)
    const reply = await send(
      { ...documentBody(scopeId), provenance: 'x' },
      documentBody(scopeId, { document_id: documentId }),
      { ...documentBody(scopeId), scope_id: 'A' },
      null,
      nameless,
      documentBody(scopeId, { text: 'x'.repeat(100_001) }),
    )
    const { accepted, results } = subject.expectAnswer(reply, 200)
    expect(accepted).toBe(1)
    expect(
      results.map((each) =>
        each.accepted
          ? each.document.document_id
          : each.problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
      ),
    ).toEqual([
      ['#/documents/0/provenance unknown_property'],
      documentId,
      ['#/documents/2/scope_id pattern_mismatch'],
      ['#/documents/3 wrong_type'],
      ['#/documents/4/name required'],
      ['#/documents/5/text too_long'],
    ])
    expect((await untilEnded(tenant, scopeId, documentId)).status).toBe('processed')
  })

  it('answers 200 also when it refuses all', async () => {
    expect(resultsOf(await send(documentBody('unknown'), documentBody('unknown')))).toEqual([
      scopeNotFound,
      scopeNotFound,
    ])
  })
})

describe('ingestBatch: 200 for what repeats', () => {
  it('gives the first answers again when it is sent again with its keys', async () => {
    const documents = Array.from({ length: 5 }, () =>
      documentBody(scopeId, { idempotency_key: newDocumentId() }),
    )
    const first = await send(...documents)
    resultsOf(first)
    expect(await send(...documents)).toMatchObject({ status: 200, text: first.text })
  })

  it('queues a document once that stands in it twice', async () => {
    const document = documentBody(scopeId, { document_id: newDocumentId() })
    const [one, other] = subject.expectAnswer(await send(document, document), 200).results
    expect(other).toEqual(one)
    expect((await untilEnded(tenant, scopeId, document.document_id ?? '')).versions).toHaveLength(1)
  })

  // One request may be lucky, so there are several.
  const rounds = Array.from({ length: 10 }, () => newDocumentId())

  it('makes versions in the order in which they stand in it', async () => {
    const texts = ['One.', 'Two, two.', 'Three, three, three.']
    for (const id of rounds) {
      resultsOf(await send(...texts.map((text) => documentBody(scopeId, { document_id: id, text }))))
      const { versions } = await readDocument(tenant, scopeId, id)
      expect(versions.map(({ version, characters }) => `${version}: ${characters}`)).toEqual([
        '3: 20',
        '2: 9',
        '1: 4',
      ])
    }
  })

  it('lets the first of two payloads under one key have it', async () => {
    for (const key of rounds) {
      const fields = { idempotency_key: key, document_id: `by-key-${key}` }
      const reply = await send(
        documentBody(scopeId, fields),
        documentBody(scopeId, { ...fields, text: 'Other.' }),
      )
      expect(resultsOf(reply)).toEqual([`by-key-${key}`, keyReused])
    }
  })
})

describe('ingestBatch: 422', () => {
  it.each([0, 101])('refuses %s documents', async (count) => {
    const documents = Array.from({ length: count }, () => documentBody(scopeId))
    subject.expectProblem(await send(...documents), 'validation_failed', { pointers: ['#/documents'] })
  })

  it.each([undefined, null, {}, 'documents'])('refuses %j instead of a list', async (documents) => {
    const reply = await subject.call({ headers: bearer(tenant.key), body: { documents } })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/documents'] })
  })
})

describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)

describe('ingestBatch: what is accepted is kept', () => {
  it('every document that was accepted here is processed', { timeout: 30_000 }, async () => {
    const documents = await untilAllEnded(tenant, scopeId)
    expect(documents.length).toBeGreaterThan(100)
    expect(documents.filter(({ status }) => status !== 'processed')).toEqual([])
  })
})
