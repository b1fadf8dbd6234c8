/** Contradictions: reported by people, found by the service, and resolved by someone who says why. */
import { operation } from '../operation.ts'
import { replayable, replayedHeader } from './replaying.ts'
import {
  Contradiction,
  ContradictionKind,
  ContradictionOrder,
  ContradictionStatus,
  CreateContradictionBody,
  Relation,
  ResolutionBody,
  Severity,
} from '../schemas/contradictions.ts'
import { listOf } from '../schemas/filters.ts'
import { contradictionParams, DocumentId, pageOf, pageQuery, scopeParams } from '../schemas/identity.ts'

/** Two claims, a note and their names at their longest, every character escaped, are 77 KB of JSON. */
const reportBodyLimit = 131_072

/** A reason and a name at their longest, every character escaped, are 27 KB of JSON. */
const resolutionBodyLimit = 32_768

export const reportContradiction = operation({
  name: 'reportContradiction',
  method: 'POST',
  path: '/api/contradictions',
  tier: 'public',
  served: true,
  summary: 'Report a contradiction',
  description:
    'For a person or another system. The same pair in either order is one record: the status is 201 for a new one ' +
    'and 200 for an existing one, which stays unchanged; severity and note of the repeated request are ignored. A ' +
    'source that is the id of a document, or the name of exactly one document, is linked to that document.',
  ...replayable,
  body: CreateContradictionBody,
  bodyLimit: reportBodyLimit,
  answers: { 200: Contradiction, 201: Contradiction },
  answerHeaders: { Location: 'Address of the contradiction.', ...replayedHeader },
  problems: ['scope_not_found', 'idempotency_key_reused'],
})

export const listContradictions = operation({
  name: 'listContradictions',
  method: 'GET',
  path: '/api/scopes/{scopeId}/contradictions',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'List the contradictions of a scope',
  description:
    'Newest first, or the most severe first, each with both quotes and their offsets. A contradiction that was ' +
    'withdrawn because a document was replaced or removed is not in the list.',
  params: scopeParams,
  query: pageQuery.extend({
    status: listOf({
      id: 'ContradictionStatus',
      options: ContradictionStatus.options,
      description: 'Only items in one of these statuses.',
    }).optional(),
    severity: listOf({
      id: 'Severity',
      options: Severity.options,
      description: 'Only contradictions of one of these severities.',
    }).optional(),
    relation: Relation.optional().meta({ description: 'Only contradictions of this relation.' }),
    kind: ContradictionKind.optional().meta({ description: 'Only contradictions of this kind.' }),
    document_id: DocumentId.optional().meta({
      description: 'Only contradictions with a side in this document.',
    }),
    order: ContradictionOrder.default('newest'),
  }),
  answers: { 200: pageOf(Contradiction) },
  problems: ['scope_not_found'],
})

export const getContradiction = operation({
  name: 'getContradiction',
  method: 'GET',
  path: '/api/scopes/{scopeId}/contradictions/{contradictionId}',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Read one contradiction',
  description: 'Both sides with their evidence, and the last decision.',
  params: contradictionParams,
  answers: { 200: Contradiction },
  problems: ['scope_not_found', 'contradiction_not_found'],
  conditional: true,
})

export const resolveContradiction = operation({
  name: 'resolveContradiction',
  method: 'POST',
  path: '/api/scopes/{scopeId}/contradictions/{contradictionId}/resolution',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Resolve, dismiss or reopen a contradiction',
  description:
    'Send the reason, for a resolution the side that is right, and optionally the person who decided; the key is ' +
    'always recorded. An open contradiction can be resolved or dismissed, a closed one reopened. The same ' +
    'decision again changes nothing. If a contradiction was resolved in favour of a side and another document ' +
    'contradicts that side, it is reopened automatically.',
  params: contradictionParams,
  ...replayable,
  body: ResolutionBody,
  bodyLimit: resolutionBodyLimit,
  answers: { 200: Contradiction },
  answerHeaders: replayedHeader,
  problems: ['scope_not_found', 'contradiction_not_found', 'illegal_transition', 'idempotency_key_reused'],
})
