/** exportScope: all records of a scope, one JSON object a line. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { contradict, contradictionsOf } from '../../world/claims.ts'
import { decisionsOf } from '../../world/decisions.ts'
import { documentBody, newDocumentId } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('exportScope')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  await contradict(tenant, scopeId)
  const [found] = await contradictionsOf(tenant, scopeId)
  await make('resolveContradiction', {
    headers: bearer(tenant.key),
    params: { scopeId, contradictionId: found?.contradiction_id ?? '' },
    body: { outcome: 'dismissed', reason: 'Two years, not one.' },
  })
})

const ask = (scope = scopeId) => ({ headers: bearer(tenant.key), params: { scopeId: scope } })
const good = () => ask()

interface Line {
  readonly kind: string
  readonly record: object
}

async function read(scope = scopeId): Promise<Line[]> {
  const reply = await subject.call(ask(scope))
  subject.expectForm(reply, 200)
  expect(reply.text.endsWith('\n')).toBe(true)
  const lines = reply.text.trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}

describe('exportScope: 200', () => {
  it('holds the records that the lists show, kind after kind, and counts them at the end', async () => {
    const lines = await read()
    const of = (kind: string) => lines.flatMap((line) => (line.kind === kind ? [line.record] : []))
    const { items: documents } = await make('listDocuments', good())
    const { items: claims } = await make('listClaims', good())
    expect(of('document')).toEqual(documents)
    expect(of('claim')).toEqual(claims)
    expect(of('contradiction')).toEqual(await contradictionsOf(tenant, scopeId))
    const decisions = await decisionsOf(tenant, scopeId)
    expect(of('decision')).toEqual(decisions)
    expect(Math.min(documents.length, claims.length, decisions.length)).toBeGreaterThan(0)
    expect(lines.at(-1)).toEqual({
      kind: 'end',
      documents: documents.length,
      claims: claims.length,
      contradictions: 1,
      decisions: decisions.length,
    })
    expect(lines).toHaveLength(documents.length + claims.length + 1 + decisions.length + 1)
  })

  it('is one line for a scope without anything', async () => {
    const { scope_id: scope } = await createScope(tenant)
    expect(await read(scope)).toEqual([
      { kind: 'end', documents: 0, claims: 0, contradictions: 0, decisions: 0 },
    ])
  })

  it('goes beyond a page', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const ids = Array.from({ length: 150 }, () => newDocumentId()).toSorted()
    for (const part of [ids.slice(0, 100), ids.slice(100)]) {
      const documents = part.map((id) => documentBody(scope, { document_id: id }))
      await make('ingestBatch', { headers: bearer(tenant.key), body: { documents } })
    }
    const lines = await read(scope)
    expect(lines.filter(({ kind }) => kind === 'document').map(({ record }) => record)).toMatchObject(
      ids.map((id) => ({ document_id: id })),
    )
    expect(lines.at(-1)).toMatchObject({ kind: 'end', documents: 150 })
  })

  it('is a file that a browser keeps', async () => {
    const { headers } = await subject.call(good())
    expect(headers['content-disposition']).toBe(`attachment; filename="${scopeId}.ndjson"`)
  })
})

describeScopePlace(subject, (scope) => ask(scope))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
