/** getOwnScopeReport: what was found in a scope, as one file in the form that is asked for. */
import { operations } from '@concord/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { contradict, contradictionsOf } from '../../world/claims.ts'
import type { Contradiction } from '../../world/claims.ts'
import { register } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getOwnScopeReport')
const scopeId = newScopeId()
const HOSTILE = '=1+1"<script>alert(1)</script>'
let tenant: Tenant
let found: Contradiction

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  await contradict(tenant, scopeId)
  await register(tenant, scopeId, { name: HOSTILE })
  const [only] = await contradictionsOf(tenant, scopeId)
  if (!only) throw new Error('Two documents that contradict each other were found to agree.')
  found = only
})

const ask = (format: string, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope },
  query: format === '' ? '' : `format=${format}`,
})
const good = () => ask('html')
const read = async (format: string) => {
  const reply = await subject.call(ask(format))
  subject.expectForm(reply, 200)
  return reply
}

describe('getOwnScopeReport: 200', () => {
  it.each([
    ['', 'html', 'text/html'],
    ['html', 'html', 'text/html'],
    ['md', 'md', 'text/markdown'],
    ['csv', 'csv', 'text/csv'],
    ['json', 'json', 'application/json'],
    ['docx', 'docx', Object.keys(operations.getOwnScopeReport.files ?? {}).at(-1)],
  ])('answers format=%s as a file that a browser keeps and does not open', async (format, ending, type) => {
    const { headers, text } = await read(format)
    expect(headers['content-type']?.split(';')[0]).toBe(type)
    expect(headers['content-disposition']).toBe(`attachment; filename="${scopeId}.${ending}"`)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*sandbox$/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(text.length).toBeGreaterThan(500)
  })

  it('shows both sides, and the words of documents as words', async () => {
    const page = (await read('html')).text
    for (const { quote } of [found.a, found.b]) expect(page).toContain(quote.slice(0, 20))
    expect(page).not.toContain('<script')
    expect(page).toContain('&lt;script&gt;')
  })

  it('holds the records of the API in JSON', async () => {
    const { text } = await read('json')
    const sent: unknown = JSON.parse(text)
    const form = operations.getOwnScopeReport.files?.['application/json']
    if (typeof form !== 'object') throw new Error('The contract has no form of a report in JSON.')
    expect(form.parse(sent)).toEqual(sent)
    expect(sent).toMatchObject({
      summary: { scope_id: scopeId },
      contradictions: await contradictionsOf(tenant, scopeId),
      left_out: { contradictions: 0, documents: 0, decisions: false },
    })
  })

  it('is a ZIP file as DOCX', async () => {
    expect((await read('docx')).text.startsWith('PK\u0003\u0004')).toBe(true)
  })

  it('says of an empty scope that nothing is open', async () => {
    const { scope_id: empty } = await createScope(tenant)
    expect((await subject.call(ask('md', empty))).text).toContain('None is open.')
  })
})

describe('getOwnScopeReport: 400', () => {
  it.each(['pdf', 'HTML', 'html&format=md', 'html&other=1'])('refuses format=%s', async (format) => {
    subject.expectProblem(await subject.call(ask(format)), 'validation_failed')
  })
})

describeScopePlace(subject, (scope) => ask('html', scope))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
