/** Events that functions of the database write keep to the contract, and the compiler knows what the others say. */
import { readdir, readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { eventSchemas } from '@concord/contract'
import type { EventKind } from '@concord/contract'
import { toEventFrame } from '../../src/http/cloud-event.ts'
import { startAttempts, completeReadings } from '../../src/store/processing/attempts.ts'
import type { EventPayloads, NewEvent } from '../../src/store/scopes/events.ts'
import { selectLog } from '../../src/store/scopes/scope-log.ts'
import { inTenant } from '../../src/store/transaction.ts'
import { useDatabase } from '../support/database.ts'
import {
  acceptOne,
  look,
  makeReady,
  newDocument,
  processedResult,
  unsuccessful,
} from '../support/documents.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

const FUNCTIONS = new URL('../../sql/functions/', import.meta.url)
const KIND = /'((?:[a-z]+)\.[a-z_]+)'/g

/** The kinds that functions which write the log name; the end of an attempt names its kind by its verdict. */
async function kindsInSql(): Promise<Set<string>> {
  const kinds = ['document.processed', 'document.held', 'document.failed']
  for (const file of await readdir(FUNCTIONS)) {
    const sql = await readFile(new URL(file, FUNCTIONS), 'utf8')
    if (sql.includes('insert into scope_log'))
      kinds.push(...[...sql.matchAll(KIND)].map(([, kind = '']) => kind))
  }
  return new Set(kinds)
}

const ready = (documentId: string) =>
  makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant, { documentId }))

/** One ends in each way, one is superseded, and one whose attempts are used up fails where it would begin anew. */
async function endInEveryWay(): Promise<void> {
  const [read, failed, held, lost] = [
    await ready('read'),
    await ready('failed'),
    await ready('held'),
    await ready('lost'),
  ]
  await startAttempts(worker().tenant, [read, failed, held, lost], 5)
  const decision = {
    id: '0190a2b4-6c1e-7d3f-8a5b-9c0d1e2f3a4b',
    point: 'admit_document',
    result: 'held',
    hash: '00'.repeat(32),
    policies: [],
  } as const
  await completeReadings(worker().tenant, [
    processedResult(read, 1),
    unsuccessful(failed, 1, 'failed', 'threw'),
    { ...held, attempt: 1, verdict: 'held', reason: 'policy', decisions: [decision], reading: null },
  ])
  await startAttempts(worker().tenant, [lost], 1)
  await acceptOne(api().tenant, newDocument(tenant, { documentId: 'failed', text: 'newer' }))
}

/** The state after a certificate, with a group that is cut. */
async function certify(): Promise<void> {
  await look(
    database(),
    `update scope_convergence set certificate_id = gen_random_uuid(), certificate_number = 1, certified_position = 1
      where tenant_id = $1`,
    [tenant.tenantId],
  )
  await look(
    database(),
    `insert into claim_counts (tenant_id, scope_id, claims, cuts, cut_claims, cut_findings) values ($1, 'default', 40, 1, 8, 0)`,
    [tenant.tenantId],
  )
  await look(database(), `select tell_cut($1, 'default', 0)`, [tenant.tenantId])
}

describe('events that functions of the database write', () => {
  it('are of every kind that the functions name, and keep to the contract', async () => {
    await certify()
    await endInEveryWay()
    const entries = await inTenant(api().tenant, tenant.tenantId, (own) => selectLog(own, 'default', 0, 100))
    const place = { tenantId: tenant.tenantId, scopeId: 'default' }
    for (const entry of entries)
      expect([
        entry.kind,
        eventSchemas.get(entry.kind as EventKind)?.safeParse(toEventFrame(place, entry).data).error,
      ]).toEqual([entry.kind, undefined])
    const kinds = new Set(entries.map(({ kind }) => kind))
    expect([...(await kindsInSql())].filter((kind) => !kinds.has(kind))).toEqual([])
  })
})

describe('events that the service writes', () => {
  it('are refused by the compiler where they say something else than the contract', () => {
    expectTypeOf<EventPayloads['comparison.held']>().toEqualTypeOf<{
      readonly reason: 'not_permitted' | 'over_budget'
    }>()
    expectTypeOf<Told<'comparison.held', { reason: 'over_budget' }>>().toExtend<NewEvent>()
    expectTypeOf<Told<'comparison.held', { reason: 'tired' }>>().not.toExtend<NewEvent>()
    expectTypeOf<Told<'comparison.held', { because: 'over_budget' }>>().not.toExtend<NewEvent>()
    expectTypeOf<Told<'scope.created', { reason: 'over_budget' }>>().not.toExtend<NewEvent>()
    expectTypeOf<Told<'document.queued', Record<string, never>>>().not.toExtend<NewEvent>()
  })
})

/** An event about a scope. */
interface Told<Kind extends string, Data> {
  readonly kind: Kind
  readonly documentId: null
  readonly version: null
  readonly data: Data
}
