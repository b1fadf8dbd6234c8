/** A scope and its documents to take away: a report, and text. */
import { operation } from '../operation.ts'
import { documentParams, scopeParams } from '../schemas/identity.ts'
import {
  DocumentText,
  maxTextRange,
  Report,
  reportBounds,
  reportQuery,
  textQuery,
} from '../schemas/reports.ts'

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

export const getOwnScopeReport = operation({
  name: 'getOwnScopeReport',
  method: 'GET',
  path: '/api/scopes/{scopeId}/report',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Write a report on a scope',
  description:
    'One file: summary, history of the score, contradictions with both sides, decisions with their reasons, read and unread parts. ' +
    `It has at most ${reportBounds.contradictions} contradictions, the most severe open ones first, and ` +
    `${reportBounds.documents} documents, together at most ${reportBounds.bytes / 1_000_000} MB of records, and states what it leaves out. ` +
    'Few reports are written at the same time; one that waits for more than 5 s is refused (503).',
  params: scopeParams,
  query: reportQuery,
  answers: { 200: 'file' },
  files: {
    'text/html': 'text',
    'text/markdown': 'text',
    'text/csv': 'text',
    'application/json': Report,
    [word]: 'binary',
  },
  answerHeaders: { 'Content-Disposition': 'The name of the file.' },
  problems: ['scope_not_found'],
  noStore: true,
})

export const exportScope = operation({
  name: 'exportScope',
  method: 'GET',
  path: '/api/scopes/{scopeId}/export',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Export all records of a scope as NDJSON',
  description:
    'One JSON object a line: `kind` is `document`, `claim`, `contradiction` or `decision`, and `record` is the ' +
    'item of the list of that kind. The last line has the kind `end` and the counts; if it is missing, the ' +
    'response is incomplete. The export reads a hundred records at a time, so a record that changes meanwhile may ' +
    'be in it in its old or its new state.',
  params: scopeParams,
  answers: { 200: 'file' },
  files: { 'application/x-ndjson': 'text' },
  answerHeaders: { 'Content-Disposition': 'The name of the file.' },
  problems: ['scope_not_found'],
  noStore: true,
})

export const getDocumentText = operation({
  name: 'getDocumentText',
  method: 'GET',
  path: '/api/scopes/{scopeId}/documents/{documentId}/text',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Read the text of a document',
  description:
    `Returns a range of the text as you sent it, at most ${maxTextRange} characters. Offsets count code points, like those of ` +
    'quotes: the range from `start` to `end` of a claim is its quote.',
  params: documentParams,
  query: textQuery,
  answers: { 200: DocumentText },
  problems: ['scope_not_found', 'document_not_found', 'text_not_found'],
  noStore: true,
})
