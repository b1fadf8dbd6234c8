/**
 * Files the facts of documents whose claims change. A contradiction that was shown by a claim which goes is shown by another claim that
 * states the same fact; where there is none it is withdrawn, because it is known and no longer found.
 */
import type { Claim } from '../../domain/claim.ts'
import type { Finding, PlacedClaim } from '../../domain/finding.ts'
import { fileFacts as storeFacts } from '../../store/facts.ts'
import type { AffectedContradiction, FactFiling, NewFact, ShownClaim } from '../../store/facts.ts'
import type { KnownFinding } from '../../store/comparing.ts'
import type { Connection } from '../../store/pools.ts'
import type { NamedFinding } from './findings.ts'
import type { PlacedFinding } from './group-memo.ts'
import { nameFindings } from './outcome.ts'
import type { Plan } from './plan.ts'
import { placeOf } from './shelf.ts'
import type { Trouble } from './shelf.ts'

interface FoundInScope {
  readonly plan: Plan
  readonly findings: readonly NamedFinding[]
  readonly known: readonly KnownFinding[]
}

/** One statement for all scopes, and none where nothing that a model extracted comes or goes. */
export async function fileFacts<Each extends FoundInScope>(
  connection: Connection,
  found: readonly Each[],
  trouble: Trouble,
): Promise<Each[]> {
  const touched = found.filter(({ plan }) => touchesFacts(plan))
  if (touched.length === 0) return [...found]
  const filed = await storeFacts(
    connection,
    touched.map(({ plan }) => toFiling(plan)),
  )
  const answers = new Map(touched.map((each, index) => [each, filed[index]]))
  return found.map((each) => {
    const answer = answers.get(each)
    if (!answer) return each
    const { plan, findings, known } = each
    const shown = answer.affected.flatMap((affected) => showAgain(plan, affected, trouble))
    return {
      ...each,
      plan: { ...plan, comparedFacts: answer.compared },
      findings: [...findings, ...nameFindings(plan, shown)],
      known: [...known, ...answer.affected.map((affected) => affected.known)],
    }
  })
}

/** Claims that a model extracted are in no group. */
function touchesFacts({ claims, old }: Plan): boolean {
  return claims.some(({ fact }) => fact) || old.some(({ keys }) => keys.length === 0)
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
  trouble: Trouble,
): PlacedFinding[] {
  if (!a || !b) return []
  try {
    const body = plan.change.seal.open('contradiction', known.id, sealed).toString('utf8')
    const before: Finding = JSON.parse(body)
    const finding = shownBy(before, openShown(plan, a), openShown(plan, b))
    return [placeFinding(finding, known.group, values)]
  } catch (error) {
    trouble(error)
    return []
  }
}

function openShown({ change: { seal }, claims }: Plan, shown: ShownClaim): PlacedClaim {
  const { documentId, no, version, sealed } = shown
  const json = sealed
    ? seal.open('claim', documentId, sealed)
    : claims.find((claim) => placeOf(claim) === placeOf(shown))?.json
  if (!json) throw new Error('a witness of a fact is not stored')
  const claim: Claim = JSON.parse(json.toString('utf8'))
  return { documentId, no, version, claim }
}

/** The explanation names the documents that were compared. Where another document takes the place of one it is written anew. */
function shownBy(before: Finding, a: PlacedClaim, b: PlacedClaim): Finding {
  const isSame = before.a.documentId === a.documentId && before.b.documentId === b.documentId
  return { ...before, a, b, explanation: isSame ? before.explanation : explainPair(a.claim, b.claim) }
}

/** In the words of both statements. */
export function explainPair(a: Claim, b: Claim): string {
  return `These statements do not agree: “${statementOf(a)}” and “${statementOf(b)}”`
}

function statementOf({ stated, quote }: Claim): string {
  return stated?.statement ?? quote
}

/** A finding about two facts: its values are the facts. */
export function placeFinding(
  finding: Finding,
  group: bigint,
  values: readonly [bigint, bigint],
): PlacedFinding {
  return { finding, group, values, pairs: [[finding.a, finding.b]], restatedBy: restatedBy(finding) }
}

/** The later statement takes the place of the earlier one. */
function restatedBy({ relation, a, b }: Finding): 'a' | 'b' | null {
  const [first, second] = [a.claim.assertedAt, b.claim.assertedAt]
  if (relation !== 'restatement' || first === null || second === null || first === second) return null
  return first > second ? 'a' : 'b'
}
