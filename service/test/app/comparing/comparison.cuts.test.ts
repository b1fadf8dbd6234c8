import * as fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { openClaim } from '../../../src/app/documents/claim-seals.ts'
import { groupOf } from '../../../src/app/documents/keyed-claims.ts'
import { getScopeSummary } from '../../../src/app/scopes/scope-summary.ts'
import { isDebatable, representativesOf } from '../../../src/domain/representatives.ts'
import { findShown, keysOf } from '@concord/reader-rules/src/comparing.ts'
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

interface Cuts {
  /** Group, claims, findings. */
  readonly rows: readonly string[]
  /** Groups, claims, findings, and groups once more as convergence has them. */
  readonly totals: readonly number[]
}

async function notedIn(scopeId: string): Promise<Cuts> {
  const place = [tenant.tenantId, scopeId]
  const rows = await look<{ row: string }>(
    database(),
    `select concat_ws(' ', group_key, claims, findings) as row from comparison_cuts
      where tenant_id = $1 and scope_id = $2 order by 1`,
    place,
  )
  const [totals] = await look<{ totals: number[] }>(
    database(),
    `select array[coalesce(n.cuts, 0), coalesce(n.cut_claims, 0), coalesce(n.cut_findings, 0), c.cuts]::int[] as totals
       from scope_convergence c left join claim_counts n using (tenant_id, scope_id)
      where c.tenant_id = $1 and c.scope_id = $2`,
    place,
  )
  return { rows: rows.map(({ row }) => row), totals: totals?.totals ?? [] }
}

/** The same by the definition, from nothing but which claims there are. */
async function countedIn(scopeId: string): Promise<Cuts> {
  const seal = await bureau.seals.get(tenant.tenantId, scopeId)
  const filed = await look<{
    key: string
    valueRank: string
    claimRank: string
    documentId: string
    no: number
    version: number
    sealed: Buffer
  }>(
    database(),
    `select k.key, k.value_rank as "valueRank", k.claim_rank as "claimRank", k.document_id as "documentId", k.no, k.version,
            c.sealed
       from claim_keys k join claims c using (tenant_id, scope_id, document_id, no)
      where tenant_id = $1 and scope_id = $2`,
    [tenant.tenantId, scopeId],
  )
  const cuts = [...Map.groupBy(filed, ({ key }) => key)].flatMap(([key, members]) => {
    const chosen = representativesOf(
      members.map((each) => ({
        ...each,
        valueRank: BigInt(each.valueRank),
        claimRank: BigInt(each.claimRank),
      })),
    )
    if (!isDebatable(chosen)) return []
    const claims = chosen.map(({ documentId, no, version, sealed }) => {
      const claim = openClaim(seal, { documentId, version, no, sealed })
      return { documentId, no, version, claim }
    })
    const plainKey = claims
      .flatMap(({ claim }) => keysOf(claim))
      .find((each) => groupOf(seal, each) === BigInt(key))
    const { omitted } = findShown(plainKey ?? '', claims)
    return members.length > chosen.length || omitted > 0
      ? [{ key, claims: members.length - chosen.length, findings: omitted }]
      : []
  })
  const sum = (count: (cut: (typeof cuts)[number]) => number) =>
    cuts.reduce((total, cut) => total + count(cut), 0)
  return {
    rows: cuts.map(({ key, claims, findings }) => `${key} ${claims} ${findings}`).toSorted(),
    totals: [cuts.length, sum(({ claims }) => claims), sum(({ findings }) => findings), cuts.length],
  }
}

const eventsIn = async (scopeId: string) => {
  const log = await look<{ kind: string; data: Record<string, unknown> }>(
    database(),
    `select kind, data from scope_log where tenant_id = $1 and scope_id = $2 order by seq`,
    [tenant.tenantId, scopeId],
  )
  return (kind: string) => log.filter((each) => each.kind === kind).map(({ data }) => data)
}

const says = (documentId: string, ...millions: readonly number[]): Paper => ({
  documentId,
  claims: placed(millions.map((each) => statement(each))),
})

describe('the claims left out of comparisons', () => {
  it('follow from the claims of the scope, whatever is added, replaced or removed', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const scopeId = await newScope()
        // Many that agree, so that some groups are full before anything else comes.
        await bureau.process(
          Array.from({ length: 9 }, (_, nth) => says(`agreeing-${nth}`, 2)),
          scopeId,
        )
        const check = async () => expect(await notedIn(scopeId)).toEqual(await countedIn(scopeId))
        await takeSteps(list, { api: api(), worker: worker(), tenant, bureau, scopeId, check })
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })

  it('cause one event for each comparison that cuts another group, with the totals of the scope', async () => {
    const scopeId = await newScope()
    const agreeing = Array.from({ length: 50 }, (_, nth) => says(`d${nth}`, 5))
    await bureau.process(agreeing, scopeId)
    expect((await eventsIn(scopeId))('comparison.cut')).toEqual([])
    await bureau.process([says('other', 6)], scopeId)
    const { totals } = await notedIn(scopeId)
    const [groups = 0, claims = 0, findings = 0] = totals
    expect(groups).toBeGreaterThan(0)
    expect(claims).toBe(44 * groups)
    expect((await eventsIn(scopeId))('comparison.cut')).toEqual([{ groups, claims, findings }])
    await bureau.process([says('one-more', 5)], scopeId)
    expect((await notedIn(scopeId)).totals).toEqual([groups, claims + groups, findings, groups])
    const { leftOut } = await getScopeSummary({ pools: api(), seals: bureau.seals }, tenant.caller, scopeId)
    expect(leftOut).toEqual({ groups, claims: claims + groups, findings })
    expect((await eventsIn(scopeId))('comparison.cut')).toHaveLength(1)
    await removeDocument(documentsDeps(api()), tenant.caller, scopeId, 'other')
    expect(await notedIn(scopeId)).toEqual({ rows: [], totals: [0, 0, 0, 0] })
  })

  it('include findings beyond those that are kept', async () => {
    const scopeId = await newScope()
    await bureau.process(
      Array.from({ length: 8 }, (_, nth) => says(`d${nth}`, 10 + 3 * nth)),
      scopeId,
    )
    const noted = await notedIn(scopeId)
    expect(noted).toEqual(await countedIn(scopeId))
    expect(noted.totals[1]).toBe(0)
    // Eight values make 28 pairs, of which 12 are kept.
    expect(noted.totals[2]).toBe(16)
  })
})

describe('a contradiction that is withdrawn', () => {
  it.each([
    ['replaced', 'by a newer version', (scopeId: string) => bureau.process([says('b', 10)], scopeId)],
    [
      'removed',
      'with its document',
      (scopeId: string) => removeDocument(documentsDeps(api()), tenant.caller, scopeId, 'b'),
    ],
  ] as const)('says that a side was %s: %s', async (reason, _, work) => {
    const scopeId = await newScope()
    await bureau.process([says('a', 10), says('b', 12)], scopeId)
    await work(scopeId)
    expect((await eventsIn(scopeId))('contradiction.withdrawn')).toMatchObject([
      { document_ids: ['a', 'b'], reason },
    ])
  })
})
