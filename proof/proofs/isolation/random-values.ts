/** The values of a random request: values of both twins and of nobody, mixed, with some that are no values at all. */
import * as fc from 'fast-check'
import type { Header } from '../../harness/http.ts'
import type { Values } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { IsolationStage } from './stage.ts'
import {
  changesScope,
  DOCUMENT_SCOPE_ID,
  PASSING_SCOPE_ID,
  SETTLED_SCOPE_ID,
  SHARED_DOCUMENT_IDS,
  SHARED_IDEMPOTENCY_KEY,
  SWITCHED_SCOPES,
} from './twin-documents.ts'
import { SHARED_SCOPE_IDS } from './twins.ts'
import { freshDocument, isOfCertificate, KERNEL_START, validBody } from './valid-values.ts'

export function randomValues(stage: IsolationStage, route: ServedRoute): fc.Arbitrary<Values> {
  return fc.record({
    params: fc.record(
      Object.fromEntries(route.parameters.map((name) => [name, anyParameter(stage, route, name)])),
    ),
    query: anyQuery(stage, route),
    headers: anyHeaders(stage, route),
    body: anyBody(stage, route),
  })
}

function anyParameter(stage: IsolationStage, route: ServedRoute, name: string): fc.Arbitrary<string> {
  const { left, right, nobody } = stage.twins
  const values: Readonly<Record<string, readonly string[]>> = {
    scopeId: [
      ...knownScopeIds(stage, route),
      left.tenantId,
      'Default',
      '../default',
      'default%00',
      'x'.repeat(121),
    ],
    documentId: [...documentIds(stage, route), '..', 'x'.repeat(201)],
    tenantId: [left.tenantId, right.tenantId, nobody.tenantId, left.tenantId.toUpperCase(), 'default'],
    keyId: [...left.targetKeyIds, ...right.targetKeyIds, nobody.keyId, right.tenantId, 'short'],
    contradictionId: [...left.contradictionIds, ...right.contradictionIds, nobody.contradictionId, 'short'],
    code: ['not_found', 'tenant_mismatch', 'no_such_code', 'NOT_FOUND'],
  }
  const chosen = values[name]
  if (!chosen) throw new Error(`Random values for {${name}} are missing; add some to random-values.ts.`)
  return fc.constantFrom(...chosen)
}

/** Half of them where the documents are, or most requests would find nothing to show; but what is there stays. */
function knownScopeIds(stage: IsolationStage, { operation }: ServedRoute): string[] {
  if (changesScope(operation)) return [PASSING_SCOPE_ID, PASSING_SCOPE_ID, stage.twins.nobody.scopeId]
  const place = isOfCertificate(operation) ? SETTLED_SCOPE_ID : DOCUMENT_SCOPE_ID
  return [...Array.from({ length: 6 }, () => place), ...scopeIds(stage)]
}

function scopeIds({ twins: { left, right, nobody } }: IsolationStage): string[] {
  return [...SHARED_SCOPE_IDS, ...left.ownScopeIds, ...right.ownScopeIds, nobody.scopeId]
}

/** Written and removed by chance; both twins may have them. */
const PASSING_DOCUMENT_IDS = ['passing-1', 'passing-2']

/** A document that carries marks for everyone to find is not removed. */
function documentIds({ twins: { left, right, nobody } }: IsolationStage, { method }: ServedRoute): string[] {
  const own = [...left.ownDocumentIds, ...right.ownDocumentIds, nobody.documentId]
  return method === 'DELETE'
    ? [...PASSING_DOCUMENT_IDS, nobody.documentId]
    : [...PASSING_DOCUMENT_IDS, ...SHARED_DOCUMENT_IDS, ...SHARED_DOCUMENT_IDS, ...own]
}

function anyQuery(stage: IsolationStage, route: ServedRoute): fc.Arbitrary<string> {
  const { left, right } = stage.twins
  if (route.query.length === 0) return fc.constantFrom('', '', `tenant_id=${right.tenantId}`)
  const strangers = [`tenant_id=${left.tenantId}`, `scope_id=${SHARED_SCOPE_IDS[0]}`]
  const known = route.query.map((name) => maybe(1, queryValues(stage, route, name)))
  return fc.tuple(...known, maybe(9, strangers)).map((parts) => parts.filter((each) => each !== '').join('&'))
}

/** The filters of lists, texts and reports; both twins have documents that fit. */
const ofLists: Readonly<Record<string, readonly string[]>> = {
  q: ['revenue', 'rev', 'nobody'],
  entity: ['borealis', 'nobody'],
  attribute: ['revenue', 'nothing'],
  period: ['2025', '2025-Q1', 'yesterday'],
  order: ['id', 'severity', 'updated', 'updated_desc', 'sideways'],
  name: ['N', 'Nightly', 'nobody'],
  type: ['txt', 'html', 'nothing'],
  source: ['erp', 'nobody'],
  tag: ['seen', 'nothing'],
  tags: ['seen', 'seen,late', ','],
  // Lists take a pair, files an object.
  metadata: ['case:a', 'without-a-colon', encodeURIComponent('{"case":"a"}')],
  updated_since: ['2026-01-01T00:00:00Z', '2199-01-01T00:00:00Z', 'yesterday'],
  start: ['0', '5', '-1'],
  end: ['10', '100000', 'x'],
  version: ['1', '2', '0'],
  format: ['html', 'md', 'csv', 'json', 'docx', 'pdf'],
}

function queryValues(stage: IsolationStage, route: ServedRoute, name: string): readonly string[] {
  const { left, right } = stage.twins
  const forged = [right.ownScopeIds, right.ownDocumentIds].map((ids) =>
    Buffer.from(JSON.stringify([ids[0]])).toString('base64url'),
  )
  const values: Readonly<Record<string, readonly string[]>> = {
    limit: ['1', '2', '100', '100', '0'],
    cursor: [...left.cursors, ...right.cursors, ...forged, 'garbage'],
    status: ['processed', 'queued', 'attached', 'registered', 'open', 'open', 'nothing'],
    severity: ['low', 'medium', 'high', 'critical', 'nothing'],
    relation: ['conflict', 'conflict', 'change', 'nothing'],
    kind: ['money', 'money', 'count', 'nothing'],
    document_id: [...SHARED_DOCUMENT_IDS, ...left.ownDocumentIds, ...right.ownDocumentIds].map(
      encodeURIComponent,
    ),
    contradiction_id: [...left.contradictionIds, ...right.contradictionIds, 'short'],
    point: ['settle_contradiction', 'settle_contradiction', 'admit_document', 'nothing'],
    decided_by: ['person', 'person', 'evidence', 'nothing'],
    tenant_id: [left.tenantId, right.tenantId, 'nobody'],
    scope_id: [...SHARED_SCOPE_IDS, ...left.ownScopeIds, ...right.ownScopeIds, 'No%20such'],
    after: positions(stage, route),
    from: ['2026-01-01T00:00:00Z', '2199-01-01T00:00:00Z', 'yesterday'],
    to: ['2026-01-02T00:00:00.000Z', '2199-01-01T00:00:00Z', '0'],
    step: ['1m', '1h', '1d', '1d', '7s'],
    ...ofLists,
    versions_limit: ['1', '2', '0'],
    versions_cursor: [...left.cursors, ...right.cursors, ...forged, 'garbage'],
  }
  const chosen = values[name]
  if (!chosen) throw new Error(`Random values for ?${name}= are missing; add some to random-values.ts.`)
  return chosen.map((value) => `${name}=${value}`)
}

/** Mostly from the beginning, where there is something to see. */
function positions({ twins: { left, right } }: IsolationStage, route: ServedRoute): readonly string[] {
  if (route.class !== 'internals') return ['0', '0', '0', '1', '7', '999999', KERNEL_START]
  const ofTwins = [left, right].map(({ tenantId }) => `9.${tenantId}.1.${DOCUMENT_SCOPE_ID}`)
  return [KERNEL_START, KERNEL_START, ...ofTwins, '7']
}

function anyHeaders(stage: IsolationStage, route: ServedRoute): fc.Arbitrary<Header[]> {
  const values: Readonly<Record<string, readonly string[]>> = {
    'Last-Event-ID': positions(stage, route),
    'Idempotency-Key': [SHARED_IDEMPOTENCY_KEY, 'passing', 'passing-too'],
    'If-None-Match': ['*', '"passing"'],
  }
  const each = route.headers.map((name) => {
    const chosen = values[name]
    if (!chosen) throw new Error(`Random values for ${name} are missing; add some to random-values.ts.`)
    return maybe(2, chosen).map((value): Header[] => (value === '' ? [] : [[name, value]]))
  })
  return fc.tuple(...each).map((found) => found.flat())
}

/** Left out `without` times for each time that it is there. */
function maybe(without: number, options: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: without, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...options) },
  )
}

/** A stored text must not be a mark of the other twin, or its owner would see it again by right. */
function anyBody(stage: IsolationStage, route: ServedRoute): fc.Arbitrary<unknown> {
  if (route.method === 'GET') return fc.constant(undefined)
  // Without a good scope_id in it, a missing tenant key would mean the whole service, or come second to the body.
  if (route.class === 'admin + optional tenant key') return fc.oneof(...crossedBodies(stage, route))
  const { left, right, nobody } = stage.twins
  const extras = [
    { tenant_id: left.tenantId },
    { tenant_id: right.tenantId },
    { tenant_id: nobody.tenantId, epoch: 7 },
    { created_by: 'ck_a_somebody' },
  ]
  // Made when the request is drawn, so that every valid body is a fresh one.
  const valid = fc.constant(route).map((each) => validBody(each))
  const mixed = fc
    .tuple(valid, fc.constantFrom(...extras))
    .map(([body, extra]) => ({ ...(body as object | undefined), ...extra }))
  return fc.oneof(valid, mixed, ...crossedBodies(stage, route))
}

/** Bodies that name scopes, documents and keys of either twin. */
function crossedBodies(stage: IsolationStage, route: ServedRoute): fc.Arbitrary<unknown>[] {
  const { left, right, nobody } = stage.twins
  const scopeId = fc.constantFrom(DOCUMENT_SCOPE_ID, DOCUMENT_SCOPE_ID, ...scopeIds(stage))
  const document = fc.record({
    scope_id: scopeId,
    document_id: fc.constantFrom(...PASSING_DOCUMENT_IDS),
    idempotency_key: fc.constantFrom(SHARED_IDEMPOTENCY_KEY, 'passing', 'passing-too'),
    ...Object.fromEntries(Object.entries(freshDocument()).map(([name, value]) => [name, fc.constant(value)])),
  })
  const ids = [...SHARED_DOCUMENT_IDS, ...left.ownDocumentIds, ...right.ownDocumentIds, nobody.documentId]
  const newScope = fc.constantFrom(...SHARED_SCOPE_IDS, PASSING_SCOPE_ID).map((scope_id) => ({ scope_id }))
  const byOperation: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    createScope: newScope,
    createOwnScope: newScope,
    ingestDocument: document,
    ingestBatch: fc.array(document, { minLength: 1, maxLength: 4 }).map((documents) => ({ documents })),
    registerDocument: document.map(({ idempotency_key: _none, ...rest }) => rest),
    attachDocument: document.map(({ idempotency_key: _key, scope_id: _scope, ...rest }) => rest),
    triggerIngest: fc.subarray(ids, { minLength: 1 }).map((document_ids) => ({ document_ids })),
  }
  const found = SWITCHED_SCOPES.has(route.operation)
    ? scopeId.map((scope_id) => ({ scope_id }))
    : byOperation[route.operation]
  return found ? [found, found] : []
}
