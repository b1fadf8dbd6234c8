/**
 * Stores the facts of documents whose claims change. Each side of a contradiction is shown by the claim with the lowest
 * document id that states its fact. If that claim changes, another one shows the side. If none is left, the contradiction
 * is withdrawn, because it is known and no longer found.
 */
import type { LocatedClaim } from '../../domain/claim.ts'
import { MAX_STEP_SIZE } from '../../domain/comparison-step.ts'
import type { Finding, PlacedClaim } from '../../domain/finding.ts'
import { fileFacts as storeFacts } from '../../store/comparing/facts.ts'
import type { AffectedContradiction, FactFiling, NewFact, ShownClaim } from '../../store/comparing/facts.ts'
import type { KnownFinding } from '../../store/comparing/comparison.ts'
import type { PoolConnection } from '../../store/pools.ts'
import { openClaimJson } from '../documents/claim-seals.ts'
import type { NamedFinding } from './findings.ts'
import type { RankedFinding } from './group-memo.ts'
import { nameFindings } from './outcome.ts'
import type { Plan } from './plan.ts'
import { claimKey } from './claim-loader.ts'
import type { OnCompareError } from './claim-loader.ts'
import { showFacts } from './shown-facts.ts'

interface FoundInScope {
  readonly plan: Plan
  readonly findings: readonly NamedFinding[]
  readonly known: readonly KnownFinding[]
}

/** Runs one statement for all scopes, and none if no claim that a model extracted is added or removed. */
export async function fileFacts<Each extends FoundInScope>(
  connection: PoolConnection,
  found: readonly Each[],
  onCompareError: OnCompareError,
): Promise<Each[]> {
  const touched = found.filter(({ plan }) => touchesFacts(plan))
  if (touched.length === 0) return [...found]
  const filed = await storeFacts(
    connection,
    touched.map(({ plan }) => toFiling(plan)),
    MAX_STEP_SIZE,
  )
  const answers = new Map(touched.map((each, index) => [each, filed[index]]))
  return found.map((each) => {
    const answer = answers.get(each)
    if (!answer) return each
    const { plan, findings, known } = each
    const shown = answer.affected.flatMap((affected) => showAgain(plan, affected, onCompareError))
    return {
      ...each,
      plan: { ...plan, comparedFacts: answer.compared },
      findings: [...findings, ...nameFindings(plan, shown)],
      known: [...known, ...answer.affected.map((affected) => affected.known)],
    }
  })
}

function touchesFacts({ claims, old, hasFacts }: Plan): boolean {
  return hasFacts || claims.some(({ fact }) => fact) || old.some(({ comparedBy }) => comparedBy === 'facts')
}

function toFiling({ change, claims }: Plan): FactFiling {
  const { tenantId, scopeId, seal, documents } = change
  const facts = new Map<bigint, NewFact>()
  const witnesses = claims.flatMap(({ documentId, no, version, fact }) => {
    if (!fact) return []
    if (!facts.has(fact.key)) facts.set(fact.key, { ...fact, documentId })
    return [{ factKey: fact.key, documentId, no, version }]
  })
  return {
    tenantId,
    scopeId,
    epoch: seal.epoch,
    documents: documents.map(({ documentId }) => documentId),
    facts: [...facts.values()],
    witnesses,
  }
}

function showAgain(
  plan: Plan,
  { known, values, sealed, a, b }: AffectedContradiction,
  onCompareError: OnCompareError,
): RankedFinding[] {
  if (!a || !b) return []
  try {
    const body = plan.change.seal.open('contradiction', known.id, sealed).toString('utf8')
    const before: Finding = JSON.parse(body)
    const shown = [
      { key: values[0], ...openShown(plan, a) },
      { key: values[1], ...openShown(plan, b) },
    ] as const
    return [showFacts(before, known.group, shown)]
  } catch (error) {
    onCompareError(error)
    return []
  }
}

function openShown({ change: { seal }, claims }: Plan, shown: ShownClaim): PlacedClaim {
  const { documentId, no, version, sealed } = shown
  const json = sealed
    ? openClaimJson(seal, { documentId, no, version, sealed })
    : claims.find((claim) => claimKey(claim) === claimKey(shown))?.json
  if (!json) throw new Error('a witness of a fact is not stored')
  const claim: LocatedClaim = JSON.parse(json.toString('utf8'))
  return { documentId, no, version, claim }
}
