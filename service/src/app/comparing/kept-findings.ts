/**
 * Keeps earlier findings of cut groups. The comparison of a cut group covers only some of its claims and findings, and a
 * new document can displace either. So an earlier finding stays as long as neither of its documents changes: a new
 * document withdraws nothing. In a group that is compared completely, the findings depend on its claims alone.
 */
import type { KnownFinding } from '../../store/comparing/comparison.ts'
import { listCutGroups } from './cuts.ts'
import type { Plan } from './plan.ts'

/** Returns the groups whose earlier findings are needed: those that are compared, and cut groups that lose a claim. */
export function groupsToReview({ groups, extents, old }: Pick<Plan, 'groups' | 'extents' | 'old'>): bigint[] {
  const compared = groups.filter(({ wasDebatable }) => wasDebatable).map(({ key }) => key)
  if (old.length === 0) return compared
  const losing = new Set(old.flatMap(({ keys }) => keys))
  const cut = extents.filter(({ key, cut: before }) => before && losing.has(key)).map(({ key }) => key)
  return [...new Set([...compared, ...cut])]
}

/** Returns the check whether an earlier finding stays although the comparison did not find it again. */
export function createKeepCheck(
  plan: Plan,
  omitted: ReadonlyMap<bigint, number>,
): (finding: Pick<KnownFinding, 'group' | 'documentIds'>) => boolean {
  const changed = new Set(plan.change.documents.map(({ documentId }) => documentId))
  const compared = new Set(plan.groups.map(({ key }) => key))
  const cut = listCutGroups(plan, omitted)
  return ({ group, documentIds }) =>
    documentIds.every((id) => !changed.has(id)) && (cut.has(group) || !compared.has(group))
}
