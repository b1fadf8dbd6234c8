/**
 * A comparison of a group that is cut looks at some of its claims and keeps some of its findings, and a new document can take the place
 * of either. There a finding of before stays as long as both its documents are as they were: new documents withdraw nothing.
 * In a group that is compared completely, what is found follows from its claims alone.
 */
import type { KnownFinding } from '../../store/comparing/comparison.ts'
import { listCutGroups } from './cuts.ts'
import type { Plan } from './plan.ts'

/** The groups whose findings of before matter: those that are compared, and those that only lose a claim, which may show one of them. */
export function groupsToReview({ groups, extents, old }: Pick<Plan, 'groups' | 'extents' | 'old'>): bigint[] {
  const compared = groups.filter(({ wasDebatable }) => wasDebatable).map(({ key }) => key)
  if (old.length === 0) return compared
  const losing = new Set(old.flatMap(({ keys }) => keys))
  const cut = extents.filter(({ key, cut: before }) => before && losing.has(key)).map(({ key }) => key)
  return [...new Set([...compared, ...cut])]
}

/** Whether a finding of before stays though the comparison did not find it again. */
export function createKeeping(
  plan: Plan,
  untold: ReadonlyMap<bigint, number>,
): (finding: Pick<KnownFinding, 'group' | 'documentIds'>) => boolean {
  const changed = new Set(plan.change.documents.map(({ documentId }) => documentId))
  const compared = new Set(plan.groups.map(({ key }) => key))
  const cut = listCutGroups(plan, untold)
  return ({ group, documentIds }) =>
    documentIds.every((id) => !changed.has(id)) && (cut.has(group) || !compared.has(group))
}
