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
    'From a person or another system. The same pair in either order is one record: 201 for a new one, 200 with ' +
    'the existing one on repeat, as it is: severity and note of the repetition are not taken over. A source that is the id of a ' +
    'document, or the name that one document alone has, is linked to that document.',
  ...replayable,
  body: CreateContradictionBody,
  bodyLimit: reportBodyLimit,
  answers: { 200: Contradiction, 201: Contradiction },
  answerHeaders: { Location: 'Where the contradiction can be read.', ...replayedHeader },
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
    'Newest first, or the most severe first, each with both quotes and their offsets. What no longer holds because a document was replaced or removed ' +
    'is not in the list any more.',
  params: scopeParams,
  query: pageQuery.extend({
    status: listOf({
      id: 'ContradictionStatus',
      options: ContradictionStatus.options,
      description: 'Only those in one of these statuses.',
    }).optional(),
    severity: listOf({
      id: 'Severity',
      options: Severity.options,
      description: 'Only those of one of these severities.',
    }).optional(),
    relation: Relation.optional().meta({ description: 'Only those of this relation.' }),
    kind: ContradictionKind.optional().meta({ description: 'Only those of this kind.' }),
    document_id: DocumentId.optional().meta({ description: 'Only those with a side in this document.' }),
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
  description: 'Both sides with their evidence, and what was decided last.',
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
    'Says why, for a resolution which side holds, and if you like which person decided; the key is noted in any case. An ' +
    'open one can be resolved or dismissed, a closed one reopened; the very same again changes nothing. One that was ' +
    'resolved in favour of a side is reopened by itself when another document contradicts that side.',
  params: contradictionParams,
  ...replayable,
  body: ResolutionBody,
  bodyLimit: resolutionBodyLimit,
  answers: { 200: Contradiction },
  answerHeaders: replayedHeader,
  problems: ['scope_not_found', 'contradiction_not_found', 'illegal_transition', 'idempotency_key_reused'],
})
