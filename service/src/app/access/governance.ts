/** Asks the policies about a document that was claimed, before it is read. */
import type { DocumentFacts, PolicyDecision, PolicyPoint, PolicyQuestion } from '../../domain/policy.ts'
import type { LeasedDocument, WorkPlace } from '../../store/processing/attempts.ts'
import { openCard } from '../documents/document-card.ts'
import type { DocumentCard } from '../documents/document-card.ts'
import type { Policies } from './policies.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface MadeDecision {
  readonly point: PolicyPoint
  readonly decision: PolicyDecision
}

/** The language model that may read documents. */
export interface OfferedModel {
  readonly name: string
  /** Whether what it is asked leaves this machine. */
  readonly external: boolean
}

export interface Governance {
  /** In the order they were asked; where one does not allow, it is the last. */
  readonly made: readonly MadeDecision[]
  /** Whether the language model may read it; else rules read it. */
  readonly isForModel: boolean
}

/**
 * Nothing but the model is asked about for a version that a person let pass: a release lets a document be read, not sent away. A policy
 * that keeps a document from the model holds nothing up, because rules read it then.
 */
export async function governDocument(
  policies: Policies,
  place: WorkPlace,
  claimed: LeasedDocument,
  seal: ScopeSeal,
  model?: OfferedModel,
): Promise<Governance> {
  if (claimed.released && !model) return { made: [], isForModel: false }
  const { tenantId, scopeId, documentId } = place
  const set = await policies.since(tenantId, scopeId, claimed.policyChanges)
  const about = { tenantId, scopeId, documentId, document: factsOf(place, claimed, seal) }
  const ask = (question: PolicyQuestion): MadeDecision => ({
    point: question.point,
    decision: set.decide(question),
  })
  const mayRead = (name: string, external: boolean) =>
    ask({ ...about, point: 'process_document', stage: 'read', model: name, external })
  const byModel = () => (model ? mayRead(model.name, model.external) : undefined)
  if (claimed.released) return { made: [], isForModel: byModel()?.decision.allowed ?? false }
  const admitted = ask({ ...about, point: 'admit_document' })
  if (!admitted.decision.allowed) return { made: [admitted], isForModel: false }
  const offered = byModel()
  if (offered?.decision.allowed) return { made: [admitted, offered], isForModel: true }
  return { made: [admitted, mayRead('rules', false)], isForModel: false }
}

/** Name and source are opened only for a policy that asks for them. */
export function factsOf(
  { documentId }: Pick<WorkPlace, 'documentId'>,
  claimed: Pick<LeasedDocument, 'type' | 'characters' | 'version' | 'sealedCard'>,
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
