import * as fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { placed, steps, takeSteps } from '../../support/paper-steps.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

vi.setConfig({ testTimeout: 120_000 })

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')
let tenant: TestTenant
let bureau: Bureau
let scopes = 0

beforeAll(async () => {
  tenant = await makeTenant(api())
  bureau = openBureau(api(), worker(), tenant)
})

async function newScope(): Promise<string> {
  scopes += 1
  await makeScope(api(), tenant, `scope-${scopes}`)
  return `scope-${scopes}`
}

interface Counts {
  /** Claims with their flag. */
  readonly flags: readonly string[]
  /** Documents with how many of their claims are compared. */
  readonly documents: readonly string[]
  readonly counters: readonly number[]
}

/** The counts of the scope. */
async function notedIn(scopeId: string): Promise<Counts> {
  const place = [tenant.tenantId, scopeId]
  const flags = await look<{ row: string }>(
    database(),
    `select concat_ws(' ', document_id, no, compared) as row from claims where tenant_id = $1 and scope_id = $2 order by 1`,
    place,
  )
  const documents = await look<{ row: string }>(
    database(),
    `select concat_ws(' ', document_id, version, compared) as row from readings where tenant_id = $1 and scope_id = $2 order by 1`,
    place,
  )
  const [counters] = await look<{ noted: number; counted: number }>(
    database(),
    `select c.compared::int as noted, coalesce((select compared from claim_counts n
              where n.tenant_id = c.tenant_id and n.scope_id = c.scope_id), 0)::int as counted
       from scope_convergence c where c.tenant_id = $1 and c.scope_id = $2`,
    place,
  )
  return {
    flags: flags.map(({ row }) => row),
    documents: documents.map(({ row }) => row),
    counters: [counters?.noted ?? -1, counters?.counted ?? -1],
  }
}

/** The same by the definition, from nothing but which claims there are. */
async function countedIn(scopeId: string): Promise<Counts> {
  const claims = await look<{ document_id: string; no: number; version: number; keys: string[] }>(
    database(),
    `select document_id, no, version, keys::text[] from claims where tenant_id = $1 and scope_id = $2`,
    [tenant.tenantId, scopeId],
  )
  const readings = await look<{ document_id: string; version: number }>(
    database(),
    `select document_id, version from readings where tenant_id = $1 and scope_id = $2`,
    [tenant.tenantId, scopeId],
  )
  const compared = claims.filter((claim) =>
    claims.some(
      (other) =>
        other.document_id !== claim.document_id && other.keys.some((key) => claim.keys.includes(key)),
    ),
  )
  const countOf = (documentId: string, version: number) =>
    compared.filter((each) => each.document_id === documentId && each.version === version).length
  return {
    flags: claims
      .map((claim) => `${claim.document_id} ${claim.no} ${compared.includes(claim) ? 't' : 'f'}`)
      .toSorted(),
    documents: readings
      .map(({ document_id: id, version }) => `${id} ${version} ${countOf(id, version)}`)
      .toSorted(),
    counters: [compared.length, compared.length],
  }
}

describe('a claim counts as compared', () => {
  it('exactly while a claim of another document shares a group with it, whatever is added, replaced or removed', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const scopeId = await newScope()
        const check = async () => expect(await notedIn(scopeId)).toEqual(await countedIn(scopeId))
        await takeSteps(list, { api: api(), worker: worker(), tenant, bureau, scopeId, check })
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })

  it('in a group of very many claims of one document while a second document has a claim there', async () => {
    for (const agree of [true, false]) {
      const scopeId = await newScope()
      const many = Array.from({ length: 60 }, (_, nth) => statement(agree ? 5 : 5 + nth))
      await bureau.process([{ documentId: 'many', claims: placed(many) }], scopeId)
      expect((await notedIn(scopeId)).counters).toEqual([0, 0])
      await bureau.process([{ documentId: 'one', claims: [statement(5)] }], scopeId)
      expect((await notedIn(scopeId)).counters).toEqual([61, 61])
      await removeDocument(documentsDeps(api()), tenant.caller, scopeId, 'one')
      expect((await notedIn(scopeId)).counters).toEqual([0, 0])
    }
  })
})
