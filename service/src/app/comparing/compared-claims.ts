/**
 * Determines which claims count as compared: those that share a group with a claim of another document. When the claims of
 * documents change, this is known for every new claim. For other claims it changes only in a group of one document that a
 * second one joins, or of two that one leaves. A claim that a model extracted has no group; it is compared with its fact.
 */
import type { NewClaim } from '../../store/comparing/comparison-outcome.ts'
import type { Plan } from './plan.ts'

export interface ComparedClaims {
  readonly claims: readonly NewClaim[]
  readonly joined: readonly bigint[]
  readonly leftAlone: readonly bigint[]
}

export function comparedClaims({
  change,
  claims,
  old,
  owners,
  comparedFacts,
}: Pick<Plan, 'change' | 'claims' | 'old' | 'owners' | 'comparedFacts'>): ComparedClaims {
  const authors = authorsOf(claims)
  const lost = new Set([...old.flatMap(({ keys }) => keys), ...(change.groups ?? [])])
  const isMet = (key: bigint) => owners.has(key) || authors.get(key) === null
  const hasOneOwner = (key: bigint) => typeof owners.get(key) === 'string'
  return {
    claims: claims.map((claim) => ({
      ...claim,
      comparedBy: claim.fact ? 'facts' : 'groups',
      compared: claim.fact ? (comparedFacts?.has(claim.fact.key) ?? false) : claim.keys.some(isMet),
    })),
    // If the change removes old claims from such a group too, its other claims are compared already.
    joined: [...authors.keys()].filter((key) => hasOneOwner(key) && !lost.has(key)),
    leftAlone: [...lost].filter((key) => hasOneOwner(key) && !authors.has(key)),
  }
}

/** Maps each group to the document of its new claims, or to null if they belong to several documents. */
function authorsOf(claims: Plan['claims']): Map<bigint, string | null> {
  const authors = new Map<bigint, string | null>()
  for (const { documentId, keys } of claims)
    for (const key of keys) {
      const known = authors.get(key)
      authors.set(key, known === undefined || known === documentId ? documentId : null)
    }
  return authors
}
