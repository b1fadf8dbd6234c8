/**
 * A group is cut if its comparison leaves out claims that do not represent it, or findings beyond the maximum. The cut
 * depends only on the set of claims. An event is emitted when a group is cut for the first time.
 */
import type { Cut } from '../../store/comparing/comparison.ts'
import type { CutChanges } from '../../store/comparing/comparison-outcome.ts'
import type { GroupExtent, Plan } from './plan.ts'

const NOTHING: Cut = { claims: 0, findings: 0, total: 0 }

export function changedCuts(
  { groups, extents }: Pick<Plan, 'groups' | 'extents'>,
  omitted: ReadonlyMap<bigint, number>,
): CutChanges {
  const changes = cutsOf({ groups, extents }, omitted).filter(
    ({ before, after }) =>
      before.claims !== after.claims || before.findings !== after.findings || before.total !== after.total,
  )
  const sum = (count: (cut: Cut) => number) =>
    changes.reduce((total, { before, after }) => total + count(after) - count(before), 0)
  return {
    groups: changes.map(({ key, after }) => ({ key, ...after })),
    delta: {
      groups: sum((cut) => Number(isCut(cut))),
      claims: sum(({ claims }) => claims),
      findings: sum(({ findings }) => findings),
    },
    isNews: changes.some(({ before }) => !isCut(before)),
  }
}

/** Returns the groups that are cut after this change. */
export function listCutGroups(
  plan: Pick<Plan, 'groups' | 'extents'>,
  omitted: ReadonlyMap<bigint, number>,
): ReadonlySet<bigint> {
  const cut = cutsOf(plan, omitted).filter(({ after }) => isCut(after))
  return new Set(cut.map(({ key }) => key))
}

function cutsOf(
  { groups, extents }: Pick<Plan, 'groups' | 'extents'>,
  omitted: ReadonlyMap<bigint, number>,
): { key: bigint; before: Cut; after: Cut }[] {
  const compared = new Set(groups.map(({ key }) => key))
  return extents.map((extent) => {
    const { key, cut: before = NOTHING } = extent
    const findings = compared.has(key) ? (omitted.get(key) ?? 0) : before.findings
    return { key, before, after: cutOf(extent, findings) }
  })
}

function cutOf({ isDebatable, unrepresented, total }: GroupExtent, findings: number): Cut {
  return isDebatable && unrepresented + findings > 0 ? { claims: unrepresented, findings, total } : NOTHING
}

function isCut({ claims, findings }: Cut): boolean {
  return claims + findings > 0
}
