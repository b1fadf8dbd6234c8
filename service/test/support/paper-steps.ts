/** Random documents that come, are replaced and go, with groups that overlap and a few that are crowded. */
import * as fc from 'fast-check'
import { removeDocument } from '../../src/app/documents/documents.ts'
import { compareGroups, findDueGroupSteps, runGroupStep } from '../../src/app/comparing/group-steps.ts'
import type { LeasedGroups } from '../../src/app/comparing/group-steps.ts'
import type { LocatedClaim } from '../../src/domain/claim.ts'
import type { Pools } from '../../src/store/pools.ts'
import { statement } from './claims.ts'
import type { Bureau, Paper } from './claims.ts'
import { documentsDeps } from './documents.ts'
import type { TestTenant } from './people.ts'

/** No two claims of a text stand in the same place. */
export const placed = (claims: readonly LocatedClaim[]) =>
  claims.map((claim, no) => ({ ...claim, span: [no * 50, no * 50 + 40] as const }))

const MEASURES = ['revenue', 'debt', 'rent', 'margin', 'headcount', 'equity', 'turnover']

const claim = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom('Borealis', 'Aurora', 'Cygnus', 'Draco'),
    fc.constantFrom(...MEASURES),
  )
  .map((parts) => statement(...parts))

/** More claims of one group than a comparison reads first, all saying the same or each something else. */
const crowd = fc
  .tuple(fc.constantFrom(...MEASURES), fc.boolean())
  .map(([measure, agree]) =>
    Array.from({ length: 44 }, (_, nth) => statement(agree ? 5 : 5 + nth, 'Borealis', measure)),
  )

const paper = fc
  .record({
    documentId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    claims: fc.oneof(
      { weight: 8, arbitrary: fc.array(claim, { maxLength: 4 }) },
      { weight: 1, arbitrary: crowd },
    ),
  })
  .map(({ documentId, claims }): Paper => ({ documentId, claims: placed(claims) }))

export const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.uniqueArray(paper, {
        selector: ({ documentId }) => documentId,
        minLength: 1,
        maxLength: 3,
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f') },
  ),
  { minLength: 6, maxLength: 14 },
)

interface StepsSite {
  readonly api: Pools
  readonly worker: Pools
  readonly tenant: TestTenant
  readonly bureau: Bureau
  readonly scopeId: string
  /** Called after each step. */
  check(): Promise<void>
}

/** A name removes that document, a list processes its papers. */
export async function takeSteps(
  list: readonly (string | readonly Paper[])[],
  { api, worker, tenant, bureau, scopeId, check }: StepsSite,
): Promise<void> {
  const there = new Set<string>()
  for (const step of list) {
    if (typeof step !== 'string') {
      await bureau.process(step, scopeId)
      for (const { documentId } of step) there.add(documentId)
    } else if (there.delete(step)) {
      await removeDocument(documentsDeps(api), tenant.caller, scopeId, step)
      await compareLeftGroups(worker, tenant)
    }
    await check()
  }
}

/** Compares like a worker does, with what removals of the tenant left to be compared. */
async function compareLeftGroups(pools: Pools, { tenantId }: TestTenant): Promise<void> {
  const means = documentsDeps(pools)
  const deps = {
    pools,
    compare: (taken: LeasedGroups) => compareGroups(means, taken),
    announceEvents: () => undefined,
  }
  const due = await findDueGroupSteps(deps, 1_000)
  for (const place of due) if (place.tenantId === tenantId) await runGroupStep(deps, place)
}
