/** What policies say of a document that was claimed, before it is read. */
import type { DocumentFacts, PolicyDecision, PolicyPoint, PolicyQuestion } from '../domain/policy.ts'
import type { ClaimedDocument, WorkPlace } from '../store/attempts.ts'
import { openCard } from './document-card.ts'
import type { DocumentCard } from './document-card.ts'
import type { Policies } from './policies.ts'
import type { ScopeSeal } from './scope-seals.ts'

export interface MadeDecision {
  readonly point: PolicyPoint
  readonly decision: PolicyDecision
}

/**
 * In the order they were asked; where one does not allow, it is the last. Nothing is asked of a version that a person let
 * pass.
 */
export async function governDocument(
  policies: Policies,
  place: WorkPlace,
  claimed: ClaimedDocument,
  seal: ScopeSeal,
): Promise<readonly MadeDecision[]> {
  if (claimed.released) return []
  const { tenantId, scopeId, documentId } = place
  const set = await policies.since(tenantId, scopeId, claimed.policyChanges)
  const about = { tenantId, scopeId, documentId, document: factsOf(place, claimed, seal) }
  const questions: readonly PolicyQuestion[] = [
    { ...about, point: 'admit_document' },
    { ...about, point: 'process_document', stage: 'read', model: 'rules', external: false },
  ]
  const made: MadeDecision[] = []
  for (const question of questions) {
    const decision = set.decide(question)
    made.push({ point: question.point, decision })
    if (!decision.allowed) break
  }
  return made
}

/** Name and source are opened only for a policy that asks for them. */
export function factsOf(
  { documentId }: Pick<WorkPlace, 'documentId'>,
  claimed: Pick<ClaimedDocument, 'type' | 'characters' | 'version' | 'sealedCard'>,
  seal: ScopeSeal,
): DocumentFacts {
  let card: DocumentCard | undefined
  const opened = () => (card ??= openCard(seal, documentId, claimed.sealedCard))
  const { type, characters, version } = claimed
  return {
    type,
    characters,
    version,
    get name() {
      return opened().name
    },
    get source() {
      return opened().source
    },
  }
}
