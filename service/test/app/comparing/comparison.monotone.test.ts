import * as fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau, Paper } from '../../support/claims.ts'
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

interface Shown {
  readonly id: string
  readonly documents: readonly string[]
  /** Both claims that show it are stored. */
  readonly isShown: boolean
}

/** Every contradiction of the scope, and whether the claims that show it are there. */
function shownIn(scopeId: string): Promise<Shown[]> {
  return look<Shown>(
    database(),
    `select c.contradiction_id as id, array[c.document_a, c.document_b] as documents,
            exists (select from claims x where (x.tenant_id, x.scope_id, x.document_id, x.no) = (c.tenant_id, c.scope_id, c.document_a, c.claim_a))
            and exists (select from claims y where (y.tenant_id, y.scope_id, y.document_id, y.no) = (c.tenant_id, c.scope_id, c.document_b, c.claim_b)) as "isShown"
       from contradictions c where c.tenant_id = $1 and c.scope_id = $2 order by 1`,
    [tenant.tenantId, scopeId],
  )
}

async function countCuts(scopeId: string): Promise<number> {
  const rows = await look(database(), 'select from comparison_cuts where tenant_id = $1 and scope_id = $2', [
    tenant.tenantId,
    scopeId,
  ])
  return rows.length
}

/** The version of each document that has claims, to see which of them a step changed. */
async function editionsIn(scopeId: string): Promise<Map<string, number>> {
  const rows = await look<{ id: string; version: number }>(
    database(),
    `select document_id as id, max(version) as version from claims where tenant_id = $1 and scope_id = $2 group by 1`,
    [tenant.tenantId, scopeId],
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}

const says = (documentId: string, ...millions: readonly number[]): Paper => ({
  documentId,
  claims: placed(millions.map((each) => statement(each))),
})

/** Many values of one measure, so that more claims and findings are in its group than are compared and kept. */
const crowd = fc
  .array(fc.integer({ min: 1, max: 60 }), { minLength: 40, maxLength: 48 })
  .map((sums) => sums.map((sum, nth) => says(`d${nth}`, sum)))

describe('a contradiction', () => {
  it('stays found while further documents arrive, in any order, though its group is cut', async () => {
    let cuts = 0
    await fc.assert(
      fc.asyncProperty(crowd, fc.integer({ min: 3, max: 9 }), async (papers, size) => {
        const scopeId = await newScope()
        let before: string[] = []
        for (let at = 0; at < papers.length; at += size) {
          await bureau.process(papers.slice(at, at + size), scopeId)
          const found = (await shownIn(scopeId)).map(({ id }) => id)
          expect(found).toEqual(expect.arrayContaining(before))
          before = found
        }
        cuts += await countCuts(scopeId)
      }),
      { numRuns: 4, endOnFailure: true },
    )
    expect(cuts).toBeGreaterThan(0)
  })

  it('stays while both its documents are unchanged, and is withdrawn with either of them', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const scopeId = await newScope()
        await bureau.process(
          Array.from({ length: 9 }, (_, nth) => says(`agreeing-${nth}`, 2)),
          scopeId,
        )
        let [shown, editions] = [await shownIn(scopeId), await editionsIn(scopeId)]
        const check = async () => {
          const [now, nextEditions] = [await shownIn(scopeId), await editionsIn(scopeId)]
          const isUnchanged = (id: string) => editions.get(id) === nextEditions.get(id)
          const expected = shown.filter(({ documents }) => documents.every(isUnchanged)).map(({ id }) => id)
          expect(now.map(({ id }) => id)).toEqual(expect.arrayContaining(expected))
          expect(now.filter(({ isShown }) => !isShown)).toEqual([])
          ;[shown, editions] = [now, nextEditions]
        }
        await takeSteps(list, { api: api(), worker: worker(), tenant, bureau, scopeId, check })
      }),
      { numRuns: 8, endOnFailure: true },
    )
  })

  it.each([
    ['removed', (scopeId: string) => removeDocument(documentsDeps(api()), tenant.caller, scopeId, 'z')],
    ['replaced', (scopeId: string) => bureau.process([says('z', 900)], scopeId)],
  ] as const)(
    'goes when a document of it is %s, also where nothing else would compare it',
    async (_, work) => {
      const scopeId = await newScope()
      await bureau.process([says('y', 10), says('z', 400)], scopeId)
      const [first] = await shownIn(scopeId)
      await bureau.process(
        Array.from({ length: 60 }, (_each, nth) => says(`d${nth}`, 20 + 3 * nth)),
        scopeId,
      )
      expect((await shownIn(scopeId)).map(({ id }) => id)).toContain(first?.id)
      await work(scopeId)
      expect((await shownIn(scopeId)).map(({ id }) => id)).not.toContain(first?.id)
    },
  )
})
