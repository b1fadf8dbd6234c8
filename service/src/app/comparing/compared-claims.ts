/**
 * Which claims are compared: those that share a group with a claim of another document. When documents get other claims, this is
 * known of all new claims, and of others it changes only where a group of one document gets a second one or loses it. A claim that a
 * model extracted is in no group; it is compared when its fact is.
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
    // Where old claims go from such a group as well, its claims are compared already.
    joined: [...authors.keys()].filter((key) => hasOneOwner(key) && !lost.has(key)),
    leftAlone: [...lost].filter((key) => hasOneOwner(key) && !authors.has(key)),
  }
}

/** By group: the document of all new claims there, or null where they are of several. */
function authorsOf(claims: Plan['claims']): Map<bigint, string | null> {
  const authors = new Map<bigint, string | null>()
  for (const { documentId, keys } of claims)
    for (const key of keys) {
      const known = authors.get(key)
      authors.set(key, known === undefined || known === documentId ? documentId : null)
    }
  return authors
}
