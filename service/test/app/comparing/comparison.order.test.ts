import * as fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau, Paper } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
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

/** The findings of groups that are compared completely: in others those of before stay, so the order matters. */
async function completeFindings(scopeId: string): Promise<string[]> {
  const seal = await bureau.seals.get(tenant.tenantId, scopeId)
  const found = await look<{ id: string; sealed: Buffer }>(
    database(),
    `select c.contradiction_id as id, c.sealed from contradictions c where c.tenant_id = $1 and c.scope_id = $2
        and not exists (select from comparison_cuts x
                         where (x.tenant_id, x.scope_id, x.group_key) = (c.tenant_id, c.scope_id, c.group_key))`,
    [tenant.tenantId, scopeId],
  )
  return found.map(({ id, sealed }) => String(seal.open('contradiction', id, sealed))).toSorted()
}

/** All that is kept of claims, cuts and complete comparisons in a scope, but what sealing and the moment make different. */
async function stateOf(scopeId: string) {
  const rows = await look<{ row: string }>(
    database(),
    `select 'key ' || concat_ws(' ', key, value_rank, claim_rank, document_id, no) as row from claim_keys
      where tenant_id = $1 and scope_id = $2
     union all select 'claim ' || concat_ws(' ', document_id, no, compared) from claims where tenant_id = $1 and scope_id = $2
     union all select 'count ' || concat_ws(' ', claims, compared) from claim_counts
      where tenant_id = $1 and scope_id = $2 and claims > 0
     union all select 'cut ' || concat_ws(' ', group_key, claims, findings) from comparison_cuts
      where tenant_id = $1 and scope_id = $2 order by 1`,
    [tenant.tenantId, scopeId],
  )
  return { rows, claims: await bureau.claims(scopeId), findings: await completeFindings(scopeId) }
}

/** Few subjects, measures and sums, so that much disagrees and some groups fill up; of rent few speak. */
const papers = fc
  .uniqueArray(
    fc.record({
      documentId: fc.stringMatching(/^[a-z]{1,3}$/),
      claims: fc.array(
        fc
          .tuple(
            fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 12 })),
            fc.constantFrom('Borealis', 'Aurora'),
            fc.oneof(
              { weight: 12, arbitrary: fc.constantFrom('revenue', 'debt') },
              { weight: 1, arbitrary: fc.constantFrom('rent', 'margin', 'equity') },
            ),
          )
          .map((parts) => statement(...parts)),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    { selector: ({ documentId }) => documentId, minLength: 24, maxLength: 40 },
  )
  .map((list): Paper[] => list.map(({ documentId, claims }) => ({ documentId, claims: placed(claims) })))

/** No two claims of a text stand in the same place. */
const placed = (claims: Paper['claims']) =>
  claims.map((claim, no) => ({ ...claim, span: [no * 50, no * 50 + 40] as const }))

async function process(scopeId: string, list: readonly Paper[], sizes: readonly number[]): Promise<void> {
  const left = [...list]
  for (let turn = 0; left.length > 0; turn += 1)
    await bureau.process(left.splice(0, sizes[turn % sizes.length]), scopeId)
}

const orders = fc.record({
  papers,
  seed: fc.integer(),
  sizes: fc.tuple(
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
  ),
  extra: fc.array(
    fc.integer({ min: 1, max: 12 }).map((sum) => statement(sum)),
    { minLength: 1, maxLength: 3 },
  ),
})

describe('the same documents', () => {
  it('give the same claims and findings in any order, in any batches, whatever was added and removed meanwhile', async () => {
    let [cuts, findings] = [0, 0]
    await fc.assert(
      fc.asyncProperty(orders, async ({ papers: list, seed, sizes: [few, many], extra }) => {
        const [one, other] = [await newScope(), await newScope()]
        await process(one, list, many)
        const shuffled = list.toSorted((a, b) => place(a, seed) - place(b, seed))
        const [first] = shuffled
        const visitors = ['visitor-1', 'visitor-2'].map((documentId) => ({
          documentId,
          claims: placed(extra),
        }))
        await process(other, [...visitors, ...shuffled], few)
        // One that said something else before; the version is part of what is found, so it is the same in both.
        if (first) {
          await process(one, [{ ...first, claims: [] }, first], [1])
          await process(other, [{ ...first, claims: placed(extra) }, first], [1])
        }
        for (const { documentId } of visitors)
          await removeDocument(documentsDeps(api()), tenant.caller, other, documentId)
        const state = await stateOf(one)
        expect(await stateOf(other)).toEqual(state)
        cuts += state.rows.filter(({ row }) => row.startsWith('cut ')).length
        findings += state.findings.length
      }),
      { numRuns: 4, endOnFailure: true },
    )
    expect(cuts).toBeGreaterThan(0)
    expect(findings).toBeGreaterThan(0)
  })
})

/** A place that the seed decides. */
const place = ({ documentId }: Paper, seed: number) =>
  Array.from(documentId).reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), seed)
