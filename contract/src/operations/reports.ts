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
  summary: 'A report on a scope, to hand on',
  description:
    'One file: summary, course of the score, contradictions with both sides, decisions with their reasons, what was read and what ' +
    `was not. It holds at most ${reportBounds.contradictions} contradictions, the heaviest open ones first, and ` +
    `${reportBounds.documents} documents, and says what it leaves out.`,
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
  summary: 'All records of a scope, as NDJSON',
  description:
    'One JSON object a line: `kind` is `document`, `claim`, `contradiction` or `decision`, and `record` is what the list of that kind ' +
    'shows. The last line has the kind `end` and counts them; without it the answer broke off. It is read a hundred records at a time, ' +
    'so what changes meanwhile may be in it as it was or as it is.',
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
  summary: 'The text of a document',
  description:
    `A range of the text as it was sent, at most ${maxTextRange} characters. Offsets count code points, like those of quotes: the ` +
    'range from `start` to `end` of a claim is its quote.',
  params: documentParams,
  query: textQuery,
  answers: { 200: DocumentText },
  problems: ['scope_not_found', 'document_not_found', 'text_not_found'],
  noStore: true,
})
