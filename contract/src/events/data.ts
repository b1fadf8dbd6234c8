/** The `data` of each kind of event. */
import { z } from 'zod'
import { Share } from '../schemas/claims.ts'
import {
  ContradictionKind,
  ContradictionStatus,
  DecidedBy,
  Holds,
  Relation,
  Severity,
} from '../schemas/contradictions.ts'
import { ConvergenceState } from '../schemas/convergence.ts'
import { DecisionResult, PolicyPoint } from '../schemas/decisions.ts'
import { Stage } from '../schemas/documents.ts'
import {
  CertificateId,
  ContradictionId,
  Count,
  DecisionId,
  DocumentId,
  ScopeId,
  Seq,
  TenantId,
} from '../schemas/identity.ts'
import { Dependency } from '../schemas/kernel.ts'
import { RuntimeLevel, RuntimeState } from '../schemas/runtime.ts'
import { Reading } from '../schemas/reading.ts'
import { RemovedContent } from '../schemas/scope-views.ts'

/** Where it happened; the kernel stream needs it, since it carries the events of every scope. */
const place = {
  tenant_id: TenantId,
  scope_id: ScopeId,
  epoch: Count.meta({ description: 'The generation of the scope; a reset raises it.' }),
  seq: Seq,
}

const onScope = z.strictObject(place)
const onDocument = onScope.extend({
  document_id: DocumentId,
  version: Count.meta({ description: 'The version of the document; 0 while there is no text.' }),
})
const onContradiction = onScope.extend({ contradiction_id: ContradictionId })
const onFinding = onContradiction.extend({
  relation: Relation,
  kind: ContradictionKind,
  severity: Severity,
  document_ids: z
    .array(DocumentId)
    .max(2)
    .meta({ description: 'Ids of the documents of both sides, if they are known.' }),
})
const decided = onContradiction.extend({ decision_id: DecisionId, decided_by: DecidedBy })

const onCertificate = onScope.extend({
  certificate_id: CertificateId,
  number: Count.meta({ description: 'Number of the certificate in the chain of the scope; the first is 1.' }),
  log_position: Seq.meta({ description: 'The position at which the scope was settled.' }),
})

/** How often the version was tried, this time included. */
const Attempt = Count.meta({ description: 'Number of the attempt on this version; the first is 1.' })

/** In the words of a closed list, never in those of a document. */
const Reason = z.string().meta({ description: 'Why, as a stable word.' })

const HoldReason = z.enum(['not_permitted', 'over_budget']).meta({
  description:
    '`not_permitted`: no policy permits sending a document of the comparison to the language model. ' +
    '`over_budget`: the token budget of the tenant is used up.',
})

const WithdrawalReason = z.enum(['replaced', 'removed', 'outranked']).meta({
  description:
    '`replaced`: a document of it has a newer version or was read again. `removed`: a document of it was removed. ' +
    '`outranked`: both documents are unchanged, and the comparison of other claims gives another result for them; ' +
    'a new document alone never causes this.',
})

export const scopeEventData = {
  'document.registered': onDocument,
  'document.attached': onDocument,
  'document.queued': onDocument,
  'document.processing': onDocument.extend({ stage: Stage, attempt: Attempt }),
  'document.processed': onDocument.extend({
    attempt: Attempt,
    passages: Count.meta({ description: 'Passages that were found in the text.' }),
    sentences: Count.meta({ description: 'Sentences that were found in the text.' }),
    reading: Reading.meta({
      description: 'How much of it was read, and the unread parts with their reasons.',
    }),
  }),
  'document.held': onDocument.extend({ decision_id: DecisionId, reason: Reason }),
  'document.failed': onDocument.extend({ stage: Stage, attempt: Attempt, reason: Reason }),
  'document.superseded': onDocument.extend({
    superseded_by: Count.meta({ description: 'The newer version.' }),
  }),
  'document.removed': onDocument,
  'claims.extracted': onDocument.extend({
    claims: Count.meta({ description: 'Claims that were found in this version.' }),
  }),
  'contradiction.opened': onFinding.extend({
    internal: z.boolean().meta({ description: 'Whether both sides are in the same document.' }),
    status: ContradictionStatus.optional().meta({
      description: 'Omitted if it is open. A contradiction that is found again has its previous status.',
    }),
  }),
  'contradiction.changed': onFinding,
  'contradiction.withdrawn': onFinding.extend({
    reason: WithdrawalReason,
  }),
  'contradiction.resolved': decided.extend({ holds: Holds }),
  'contradiction.dismissed': decided,
  'contradiction.reopened': decided,
  'comparison.cut': onScope.extend({
    groups: Count.meta({ description: 'Groups of claims in the scope that are not compared completely.' }),
    claims: Count.meta({
      description: 'Claims in these groups that are not compared, each counted once per group.',
    }),
    findings: Count.meta({ description: 'Contradictions in these groups that are not stored.' }),
  }),
  'comparison.held': onScope.extend({ reason: HoldReason }),
  'comparison.released': onScope.extend({ reason: HoldReason }),
  'decision.made': onScope.extend({
    decision_id: DecisionId,
    point: PolicyPoint,
    result: DecisionResult,
    decided_by: z.string().meta({ description: 'The policy, or `person`.' }),
  }),
  'convergence.changed': onScope.extend({
    score: Share.meta({ description: 'How settled the scope is, from 0 to 1.' }),
    state: ConvergenceState,
    blockers: Count.meta({ description: 'Number of blockers that keep the scope from being settled.' }),
  }),
  'scope.created': onScope,
  'scope.declared': onCertificate.extend({ decision_id: DecisionId }),
  /** The first news after a certificate; the certificate says of what was before it that it was settled. */
  'scope.reopened': onCertificate.extend({
    reopened_at: Seq.meta({ description: 'Position in the log at which new evidence arrived.' }),
  }),
  'scope.reset': onScope.extend({ removed: RemovedContent }),
  /** A switch above the scope is told on the kernel stream alone, without a place. */
  'runtime.changed': z.strictObject({
    tenant_id: TenantId.nullable().meta({
      description: 'The tenant; null for the switch of the whole service.',
    }),
    scope_id: ScopeId.nullable().meta({ description: 'The scope; null for a switch above the scope.' }),
    epoch: Count.nullable().meta({
      description: 'The epoch of the scope; null for a switch above a scope.',
    }),
    seq: Seq.nullable().meta({
      description: 'The position in the log of the scope; null for a switch above a scope.',
    }),
    level: RuntimeLevel.meta({ description: 'Which switch was changed.' }),
    state: RuntimeState.meta({ description: 'The new state of the switch.' }),
    effective_state: RuntimeState.meta({
      description: 'The state of the strictest switch that applies here.',
    }),
    generation: Count.meta({ description: 'Raised by every restart.' }),
  }),
} as const

const Role = z
  .string()
  .meta({ description: 'What the workers do; those that read and compare documents have the role `worker`.' })

const worker = z.strictObject({
  worker_id: z.string().meta({ description: 'Id of the worker process.' }),
  role: Role,
  host: z.string().meta({ description: 'Name of the machine that it runs on.' }),
})

export const kernelEventData = {
  'worker.hatched': worker,
  'worker.retired': worker.extend({ reason: Reason }),
  'worker.lost': worker.extend({
    heartbeat_age_ms: z
      .number()
      .min(0)
      .meta({ description: 'Milliseconds since its last heartbeat arrived.' }),
  }),
  'scaling.decided': z.strictObject({
    role: Role,
    from: Count.meta({ description: 'Desired number of workers before.' }),
    to: Count.meta({ description: 'Desired number of workers from now on.' }),
    reason: Reason,
  }),
  'dependency.lost': z.strictObject({ dependency: Dependency }),
  'dependency.restored': z.strictObject({
    dependency: Dependency,
    lost_for_ms: z.number().min(0).meta({ description: 'How long it was unavailable.' }),
  }),
} as const
