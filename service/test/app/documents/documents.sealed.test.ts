/** A thief of the whole database without the master key finds nothing of the content. */
import { describe, expect, it } from 'vitest'
import { createAttempts } from '../../../src/app/processing/attempts.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { readStructure } from '@concord/reading/src/structure.ts'
import { runAttempt } from '../../../src/worker/attempt.ts'
import { decodeReading, encodeReading } from '../../../src/worker/reading.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { documentRow, look, dispatchAll } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, masterKeys } from '../../support/people.ts'
import { policiesOf } from '../../support/policies.ts'
import { usePools } from '../../support/pools.ts'
import { makeReport } from '../../support/reading-reports.ts'

const database = useDatabase()
const pools = usePools(database)
const worker = usePools(database, 2, 'worker')
const archive = useArchive(database, pools)

const CANARIES = {
  name: 'canary-name-Zwölfton',
  source: 'canary-source-Quelle',
  provenance: 'canary-provenance-Herkunft',
  text: 'canary-text-Aussage',
  key: 'canary-key-Schlüssel',
}

/** Every row of every table, as text; bytes are written in hex there. */
async function wholeDatabase(): Promise<string[]> {
  const tables = await look<{ name: string }>(
    database(),
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  )
  const rows: string[] = []
  for (const { name } of tables)
    rows.push(
      ...(await look<{ row: string }>(database(), `select t::text as row from ${name} t`)).map(
        ({ row }) => row,
      ),
    )
  return rows
}

/** In the forms in which words hide in a row: as they are, in hex, in base64, and half of each. */
function formsOf(word: string): string[] {
  const bytes = Buffer.from(word)
  return [word, bytes.toString('hex'), bytes.subarray(1).toString('base64').slice(0, 12), word.slice(0, 12)]
}

async function findings(): Promise<string[]> {
  const rows = await wholeDatabase()
  expect(rows.length).toBeGreaterThan(5)
  return Object.entries(CANARIES).flatMap(([what, word]) =>
    formsOf(word).some((form) => rows.some((row) => row.includes(form))) ? [what] : [],
  )
}

async function processAll(): Promise<void> {
  const deps = {
    attempts: createAttempts({
      pool: worker().tenant,
      policies: policiesOf(worker().tenant),
      auditor,
      maxStarts: 5,
    }),
    seals: createScopeSeals({ pool: worker().tenant, masterKeys }),
    policies: policiesOf(worker().tenant),
    read: async ({ text }: { readonly text: string }) => ({
      kind: 'done' as const,
      // The reading as it comes out of the sandbox.
      result: decodeReading(Buffer.from(encodeReading(readStructure(text), makeReport()))),
      ms: 1,
    }),
    announceEvents: () => undefined,
    started: () => undefined,
    random: Math.random,
    log: silentLog,
  }
  for (const note of await dispatchAll(worker(), archive().tenant)) {
    const delivery = { message: note, ack() {}, working() {}, retryIn() {} }
    expect(await runAttempt(deps, delivery)).toBe('processed')
  }
}

describe('the search', () => {
  it('would find words that were written down as they are', async () => {
    await look(database(), 'update tenants set name = $1 where tenant_id = $2', [
      CANARIES.name,
      archive().tenant.tenantId,
    ])
    await archive().deposit()
    await look(database(), `update documents set sealed_card = $1`, [Buffer.from(CANARIES.text)])
    expect(await findings()).toEqual(['name', 'text'])
    await look(database(), `update tenants set name = 'x'`)
    await look(database(), 'delete from documents')
  })
})

describe('name, source, provenance, text and idempotency key', () => {
  it('are nowhere in plain text in the database, in any status of a document', async () => {
    const card = { name: CANARIES.name, source: CANARIES.source }
    const text = `${CANARIES.text}. ${CANARIES.text} again.\n\n- ${CANARIES.text}`
    await archive().register({ ...card, provenance: CANARIES.provenance, documentId: 'registered' })
    await archive().deposit({ ...card, provenance: CANARIES.provenance, text, documentId: 'attached' })
    await archive().ingest({ ...card, text, idempotencyKey: CANARIES.key, documentId: 'ingested' })
    expect(await findings()).toEqual([])
    await archive().trigger()
    await processAll()
    expect(await documentRow(database(), archive().place('ingested'))).toMatchObject({ status: 'processed' })
    expect(await look(database(), 'select from readings')).toHaveLength(2)
    expect(await findings()).toEqual([])
    await archive().ingest({ ...card, text: `${text} newer`, documentId: 'ingested' })
    await archive().remove('attached')
    expect(await findings()).toEqual([])
  })
})
