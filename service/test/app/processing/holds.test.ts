/** Documents that policy holds, on the whole way: claimed, held, told of, and let pass by a person. */
import { beforeEach, describe, expect, it } from 'vitest'
import { createAttempts } from '../../../src/app/processing/attempts.ts'
import { getDocument, retryDocument } from '../../../src/app/documents/documents.ts'
import { releaseDocument } from '../../../src/app/processing/holds.ts'
import { putPolicy } from '../../../src/app/access/policies.ts'
import type { Policies } from '../../../src/app/access/policies.ts'
import { runAttempt } from '../../../src/worker/attempt.ts'
import { decodeReading, encodeReading } from '../../../src/worker/reading.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { logOf, look, dispatchAll } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, makeScope } from '../../support/people.ts'
import { noDocuments, policiesOf, policyEngine } from '../../support/policies.ts'
import { usePools } from '../../support/pools.ts'
import { makeReport } from '../../support/reading-reports.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
const archive = useArchive(database, api)
let policies: Policies

beforeEach(() => {
  policies = policiesOf(worker().tenant)
})

const write = (text: string, scopeId: string | null = null) =>
  putPolicy({ pools: api(), policyEngine, auditor }, archive().tenant.caller, scopeId, text)

/** All that is queued, attempted once; how each ended. */
async function work(): Promise<string[]> {
  const deps = {
    attempts: createAttempts({
      pool: worker().tenant,
      policies: policiesOf(worker().tenant),
      auditor,
      maxStarts: 5,
    }),
    seals: archive().deps.seals,
    policies,
    read: async () => ({
      kind: 'done' as const,
      result: decodeReading(Buffer.from(encodeReading({ passages: [] }, makeReport()))),
      ms: 1,
    }),
    announceEvents: () => undefined,
    started: () => undefined,
    random: Math.random,
    log: silentLog,
  }
  const notes = await dispatchAll(worker(), archive().tenant)
  return Promise.all(
    notes.map(async (note) => {
      const end = await runAttempt(deps, { message: note, ack() {}, working() {}, retryIn() {} })
      return `${note.documentId} ${end}`
    }),
  ).then((ends) => ends.toSorted())
}

const ingest = (documentId: string, type = 'draft', text = `text of ${documentId}`) =>
  archive().ingest({ documentId, type, text })
const read = async (documentId: string) =>
  (await getDocument(archive().deps, archive().tenant.caller, 'default', documentId)).document
const decisions = () =>
  look<{ point: string; result: string; decided_by: string; document_ids: string[]; policies: string[] }>(
    database(),
    `select point, result, decided_by, document_ids, policies, encode(policy_hash, 'hex') as hash, sealed
       from decisions where tenant_id = $1 order by decided_at, point`,
    [archive().tenant.tenantId],
  )
const release = (documentId: string) =>
  releaseDocument(
    archive().deps,
    archive().tenant.caller,
    { scopeId: 'default', documentId },
    { by: 'Jane Doe', reason: 'It may be read.' },
  )

describe('a document that a policy forbids', () => {
  it('is held with the decision, and an event is sent', async () => {
    const { hash } = await write(noDocuments('draft'))
    await ingest('a')
    expect(await work()).toEqual(['a held'])
    const document = await read('a')
    expect(document).toMatchObject({ status: 'held', errorCode: 'forbidden', attempt: 1 })
    expect(document.hold).toMatchObject({ point: 'admit_document', policies: ['tenant/no-draft'] })
    const told = (await logOf(database(), archive().tenant)).find(({ kind }) => kind === 'document.held')
    expect(told).toMatchObject({
      kind: 'document.held',
      document_id: 'a',
      data: { decision_id: document.hold?.decisionId, reason: 'forbidden' },
    })
    expect(await decisions()).toMatchObject([
      {
        point: 'admit_document',
        result: 'held',
        decided_by: 'policy',
        document_ids: ['a'],
        policies: ['tenant/no-draft'],
        hash,
      },
    ])
  })

  it('keeps its older version in force', async () => {
    await ingest('a', 'letter')
    expect(await work()).toEqual(['a processed'])
    await write(noDocuments('draft'))
    await ingest('a', 'draft', 'newer')
    expect(await work()).toEqual(['a held'])
    const readings = await look(database(), 'select version from readings where tenant_id = $1', [
      archive().tenant.tenantId,
    ])
    expect(readings).toEqual([{ version: 1 }])
  })

  it('is evaluated again when it is retried', async () => {
    await write(noDocuments('draft'))
    await ingest('a')
    await work()
    await retryDocument(archive().deps, archive().tenant.caller, 'default', 'a')
    expect(await work()).toEqual(['a held'])
    await write('')
    await retryDocument(archive().deps, archive().tenant.caller, 'default', 'a')
    expect(await work()).toEqual(['a processed'])
    expect((await read('a')).hold).toBeNull()
  })
})

describe('a person', () => {
  it('releases a held version without another evaluation, but the next version is evaluated', async () => {
    await write(noDocuments('draft'))
    await ingest('a')
    await work()
    const { decisionId, seq } = await release('a')
    const log = await logOf(database(), archive().tenant)
    expect(log.slice(-2)).toMatchObject([
      {
        kind: 'decision.made',
        data: {
          decision_id: decisionId,
          point: 'admit_document',
          result: 'released',
          decided_by: 'person',
        },
      },
      { kind: 'document.queued', document_id: 'a', seq },
    ])
    expect(await work()).toEqual(['a processed'])
    const released = (await decisions()).find(({ result }) => result === 'released')
    expect(released).toMatchObject({ decided_by: 'person', document_ids: ['a'], point: 'admit_document' })
    expect(JSON.stringify(released)).not.toMatch(/Jane|read\./)
    expect(decisionId).toMatch(/^[0-9a-f-]{36}$/)
    await ingest('a', 'draft', 'newer')
    expect(await work()).toEqual(['a held'])
  })

  it('cannot release a version that is not held', async () => {
    await ingest('a')
    await expect(release('a')).rejects.toMatchObject({ code: 'illegal_transition' })
    await expect(release('nobody')).rejects.toMatchObject({ code: 'document_not_found' })
  })
})

describe('policies of a scope', () => {
  it('are evaluated with those of the tenant, only in that scope', async () => {
    await makeScope(api(), archive().tenant, 'other')
    await write(noDocuments('draft'), 'other')
    await archive().ingest({ documentId: 'here', type: 'draft' })
    await archive().ingest({ documentId: 'there', type: 'draft', scopeId: 'other' })
    expect(await work()).toEqual(['here processed', 'there held'])
  })
})

describe('a change of policy', () => {
  it('applies to the next document, in a process that cached the policies before', async () => {
    await ingest('a')
    await write(noDocuments('other'))
    expect(await work()).toEqual(['a processed'])
    await write(noDocuments('draft'))
    await ingest('b')
    expect(await work()).toEqual(['b held'])
    await write('')
    await ingest('c')
    expect(await work()).toEqual(['c processed'])
  })
})

describe('a decision', () => {
  it('is written once for documents with the same decision in one commit', async () => {
    await write(noDocuments('draft'))
    for (const id of ['a', 'b', 'c']) await ingest(id, 'letter')
    await work()
    const rows = await decisions()
    expect(rows.every(({ result }) => result === 'allowed')).toBe(true)
    const admitted = rows.filter(({ point }) => point === 'admit_document')
    expect(admitted.flatMap(({ document_ids }) => document_ids).toSorted()).toEqual(['a', 'b', 'c'])
    expect(admitted.length).toBeLessThan(3)
    expect(rows.filter(({ point }) => point === 'process_document').length).toBe(admitted.length)
  })
})
