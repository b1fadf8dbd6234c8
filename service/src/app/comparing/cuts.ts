/**
 * Comparing leaves things out of groups: claims that do not represent their group, and findings beyond those that are kept. It follows
 * from the set of claims, and is told where a group is cut of which nothing was left out before.
 */
import type { Cut } from '../../store/comparing/comparison.ts'
import type { CutChanges } from '../../store/comparing/comparison-outcome.ts'
import type { GroupExtent, Plan } from './plan.ts'

const NOTHING: Cut = { claims: 0, findings: 0, total: 0 }

export function changedCuts(
  { groups, extents }: Pick<Plan, 'groups' | 'extents'>,
  untold: ReadonlyMap<bigint, number>,
): CutChanges {
  const changes = cutsOf({ groups, extents }, untold).filter(
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

/** The groups of which something is left out from now on. */
export function listCutGroups(
  plan: Pick<Plan, 'groups' | 'extents'>,
  untold: ReadonlyMap<bigint, number>,
): ReadonlySet<bigint> {
  const cut = cutsOf(plan, untold).filter(({ after }) => isCut(after))
  return new Set(cut.map(({ key }) => key))
}

function cutsOf(
  { groups, extents }: Pick<Plan, 'groups' | 'extents'>,
  untold: ReadonlyMap<bigint, number>,
): { key: bigint; before: Cut; after: Cut }[] {
  const compared = new Set(groups.map(({ key }) => key))
  return extents.map((extent) => {
    const { key, cut: before = NOTHING } = extent
    const findings = compared.has(key) ? (untold.get(key) ?? 0) : before.findings
    return { key, before, after: cutOf(extent, findings) }
  })
}

function cutOf({ isDebatable, unheard, total }: GroupExtent, findings: number): Cut {
  return isDebatable && unheard + findings > 0 ? { claims: unheard, findings, total } : NOTHING
}

function isCut({ claims, findings }: Cut): boolean {
  return claims + findings > 0
}
