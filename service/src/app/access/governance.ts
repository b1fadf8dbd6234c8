/** Evaluates the policies for a document before it is read. */
import type { DocumentFacts, PolicyDecision, PolicyPoint, PolicyQuestion } from '../../domain/policy.ts'
import type { LeasedDocument, WorkRef } from '../../store/processing/attempts.ts'
import { openCard } from '../documents/document-card.ts'
import type { DocumentCard } from '../documents/document-card.ts'
import type { Policies } from './policies.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface GovernanceDecision {
  readonly point: PolicyPoint
  readonly decision: PolicyDecision
}

/** The language model that may read documents. */
export interface ModelOffer {
  readonly name: string
  /** True if its requests leave this machine. */
  readonly external: boolean
}

export interface Governance {
  /** The decisions in the order of evaluation. One that does not allow is the last. */
  readonly made: readonly GovernanceDecision[]
  /** True if the language model may read the document. Otherwise the rules read it. */
  readonly isForModel: boolean
}

/**
 * For a version that a person released, only the use of the model is evaluated: a release allows reading a document, not sending
 * it away. A policy that keeps a document from the model does not hold it, because the rules read it then.
 */
export async function governDocument(
  policies: Policies,
  ref: WorkRef,
  claimed: LeasedDocument,
  seal: ScopeSeal,
  model?: ModelOffer,
): Promise<Governance> {
  if (claimed.released && !model) return { made: [], isForModel: false }
  const { tenantId, scopeId, documentId } = ref
  const set = await policies.since(tenantId, scopeId, claimed.policyChanges)
  const about = { tenantId, scopeId, documentId, document: factsOf(ref, claimed, seal) }
  const ask = (question: PolicyQuestion): GovernanceDecision => ({
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

/** Name and source are decrypted only if a policy uses them. */
export function factsOf(
  { documentId }: Pick<WorkRef, 'documentId'>,
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
