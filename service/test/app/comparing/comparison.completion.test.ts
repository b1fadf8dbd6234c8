/** Contradictions that policies settle, or do not, whatever came first. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { listDecisions } from '../../../src/app/contradictions/decisions.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import type { DocumentsDeps } from '../../../src/app/documents/documents.ts'
import { putPolicy } from '../../../src/app/access/policies.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import type { Settlement } from '../../../src/app/contradictions/resolutions.ts'
import type { LocatedClaim } from '../../../src/domain/claim.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { auditor, makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { policyEngine } from '../../support/policies.ts'
import { usePools } from '../../support/pools.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant
let bureau: Bureau
let deps: DocumentsDeps

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
  deps = documentsDeps(api())
})

/** "EUR 12m, corrected from EUR 10m". */
const correction = (millions: number, from: number, more: Partial<LocatedClaim> = {}): LocatedClaim => ({
  ...statement(millions),
  replaces: { by: 'correction', value: statement(from).value },
  ...more,
})
const paper = (documentId: string, ...claims: readonly (number | LocatedClaim)[]) => ({
  documentId,
  claims: claims.map((each) => (typeof each === 'number' ? statement(each) : each)),
})
const all = async (scopeId = 'default') =>
  (await listContradictions(deps, tenant.caller, scopeId, { limit: 100, cursor: undefined })).items
const only = async () => {
  const [found, ...others] = await all()
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} contradictions`)
  return found
}
const decisions = async () =>
  (await listDecisions(deps, tenant.caller, 'default', { limit: 100, cursor: undefined })).items
const told = async () =>
  (await logOf(database(), tenant)).flatMap(({ kind }) => (kind.startsWith('contradiction.') ? [kind] : []))
const write = (text: string) => putPolicy({ pools: api(), policyEngine, auditor }, tenant.caller, null, text)
const remove = (documentId: string, scopeId = 'default') =>
  removeDocument(deps, tenant.caller, scopeId, documentId)
const reopen: Settlement = { outcome: 'reopened', holds: null, by: null, reason: 'We want to look.' }
const decide = (id: string, settlement: Settlement) =>
  resolveContradiction(deps, tenant.caller, 'default', id, settlement)

const rule = (effect: 'permit' | 'forbid', id: string, when: string) =>
  `@id("${id}")\n${effect} (principal, action == Concord::Action::"settle_contradiction", resource) when { ${when} };\n`
const NO_MONEY = rule('forbid', 'money-needs-a-person', 'resource.kind == "money"')

describe('a restatement', () => {
  it('is settled in favour of the side that restates, with entries in log, history and audit log', async () => {
    await bureau.process([paper('a', 10)])
    await bureau.process([paper('b', correction(12, 10))])
    const found = await only()
    expect(found).toMatchObject({
      status: 'resolved',
      relation: 'restatement',
      severity: 'medium',
      resolution: {
        point: 'settle_contradiction',
        result: 'resolved',
        decidedBy: 'policy',
        policies: ['default/settle-restatement'],
        policyHash: Buffer.from(policyEngine.hashOf({ tenant: '', scope: '' }), 'hex'),
        documentIds: ['a', 'b'],
        actor: null,
        by: null,
        reason: null,
      },
    })
    const { decisionId = '', holds, seq } = found.resolution ?? {}
    expect(holds).toBe(found.a.claim?.valueText === 'EUR 12m' ? 'a' : 'b')
    expect(await decisions()).toEqual([found.resolution])
    expect(await told()).toEqual(['contradiction.opened', 'contradiction.resolved'])
    const log = await logOf(database(), tenant)
    const data = {
      contradiction_id: found.contradictionId,
      decision_id: decisionId,
      decided_by: 'policy',
      holds,
    }
    expect(log.find((event) => event.kind === 'contradiction.resolved')).toMatchObject({ seq, data })
    const audited = await look<{ subject: string; tier: string }>(
      database(),
      `select subject, tier, details from audit_log where tenant_id = $1 and action = 'decision.made'`,
      [tenant.tenantId],
    )
    expect(audited).toMatchObject([
      { subject: decisionId, tier: 'policy', details: { point: 'settle_contradiction', result: 'resolved' } },
    ])
  })

  const at = (claim: LocatedClaim, assertedAt: number): LocatedClaim => ({ ...claim, assertedAt })
  const marked: LocatedClaim = { ...statement(12), qualifiers: ['restated'] }

  it('is settled for the later side that is marked as corrected, even if the order of sides differs', async () => {
    await bureau.process([paper('z', at(statement(10), 1)), paper('a', at(marked, 2))])
    const found = await only()
    expect(found).toMatchObject({ relation: 'restatement', status: 'resolved', resolution: { holds: 'b' } })
    expect(found.b.documentId).toBe('a')
    expect(found.explanation).toMatch(
      /The earlier document says EUR 10m, the later one corrects it to EUR 12m/,
    )
  })

  it.each([
    ['of documents without dates', statement(10), marked],
    ['of documents of one day', at(statement(10), 1), at(marked, 1)],
    ['where one has no date', statement(10), at(marked, 1)],
  ])(
    'stays open whatever is permitted where nobody knows which side is later: %s',
    async (_, old, mended) => {
      await write(rule('permit', 'all', 'true'))
      await bureau.process([paper('z', old), paper('a', mended)])
      const found = await only()
      expect(found).toMatchObject({ relation: 'restatement', status: 'open', resolution: null })
      expect(found.explanation).toMatch(/^(?!.*(earlier|later)).*nothing says which one holds\.$/)
      expect(await decisions()).toEqual([])
    },
  )

  it('is settled and recorded however many policies permit it', async () => {
    const names = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(80))
    await write(names.map((name) => rule('permit', name, 'resource.relation == "restatement"')).join(''))
    await bureau.process([paper('a', 10), paper('b', correction(12, 10))])
    const { policies } = (await only()).resolution ?? {}
    expect(policies).toEqual(['default/settle-restatement', ...names.map((name) => `tenant/${name}`)])
    const audited = await look<{ details: { policies: string } }>(
      database(),
      `select details from audit_log where tenant_id = $1 and action = 'decision.made'`,
      [tenant.tenantId],
    )
    expect(audited.map(({ details }) => details.policies)).toEqual([policies?.join(',')])
  })

  it('stays open if its severity is high', async () => {
    await bureau.process([paper('a', 10), paper('b', correction(30, 10))])
    expect(await only()).toMatchObject({ status: 'open', severity: 'high', resolution: null })
    expect(await decisions()).toEqual([])
    expect(await told()).toEqual(['contradiction.opened'])
  })

  it('stays open if each side states that it replaces the other', async () => {
    await bureau.process([paper('a', correction(10, 12)), paper('b', correction(12, 10))])
    expect(await only()).toMatchObject({ status: 'open', relation: 'restatement' })
  })

  it('stays open if the tenant forbids it', async () => {
    await write(NO_MONEY)
    await bureau.process([paper('a', 10), paper('b', correction(12, 10))])
    expect(await only()).toMatchObject({ status: 'open', resolution: null })
  })

  it('is decided by the policies in force when it is compared next', async () => {
    await bureau.process([paper('a', 10), paper('b', correction(12, 10))])
    const { contradictionId, resolution } = await only()
    await write(NO_MONEY)
    expect((await only()).status).toBe('resolved')
    await bureau.process([paper('c', 10)])
    expect(await only()).toMatchObject({
      contradictionId,
      status: 'open',
      resolution: { result: 'reopened', decidedBy: 'policy', policies: ['tenant/money-needs-a-person'] },
    })
    await write('')
    await remove('c')
    expect(await only()).toMatchObject({ status: 'resolved', resolution: { result: 'resolved' } })
    expect((await only()).resolution?.decisionId).not.toBe(resolution?.decisionId)
    expect(await told()).toEqual(
      ['opened', 'resolved', 'changed', 'reopened', 'changed', 'resolved'].map(
        (each) => `contradiction.${each}`,
      ),
    )
  })

  it('is settled again when it is found again, by the decision that stands', async () => {
    await bureau.process([paper('a', 10), paper('b', correction(12, 10))])
    const before = await only()
    await remove('a')
    expect(await all()).toEqual([])
    await bureau.process([paper('a', 10)])
    expect(await only()).toMatchObject({ status: 'resolved', resolution: before.resolution })
    expect(await decisions()).toHaveLength(1)
    await write(NO_MONEY)
    await remove('a')
    await bureau.process([paper('a', 10)])
    expect(await only()).toMatchObject({ status: 'open', resolution: { result: 'reopened' } })
  })

  it('is not reopened by another document with the restated value', async () => {
    await bureau.process([paper('a', 10), paper('b', correction(12, 10))])
    await bureau.process([paper('c', 10)])
    expect(await only()).toMatchObject({ status: 'resolved', further: 1 })
    expect(await decisions()).toHaveLength(1)
  })
})

describe('a decision of a person', () => {
  it('is not overruled by the next comparison', async () => {
    await bureau.process([paper('a', 10), paper('b', correction(12, 10))])
    const { contradictionId } = await only()
    await decide(contradictionId, reopen)
    await bureau.process([paper('c', 10)])
    expect(await only()).toMatchObject({ status: 'open', further: 1, resolution: { decidedBy: 'person' } })
    await remove('b')
    await bureau.process([paper('b', correction(12, 10))])
    expect(await only()).toMatchObject({ status: 'open', resolution: { decidedBy: 'person' } })
    await decide(contradictionId, { ...reopen, outcome: 'dismissed' })
    await remove('c')
    await bureau.process([paper('c', 10)])
    expect(await only()).toMatchObject({ status: 'dismissed', resolution: { decidedBy: 'person' } })
  })
})

describe('other contradictions', () => {
  it('stay open, whatever is permitted, if it is unknown which side is right', async () => {
    await write(rule('permit', 'everything', 'true'))
    await bureau.process([paper('a', 10), paper('b', 12)])
    expect(await only()).toMatchObject({ relation: 'conflict', status: 'open' })
  })

  it('are settled in favour of both if policy permits that for a change', async () => {
    const later = (millions: number, from: number): LocatedClaim => ({
      ...statement(millions),
      replaces: { by: 'change', value: statement(from).value },
    })
    await bureau.process([paper('a', 10), paper('b', later(12, 10))])
    expect(await only()).toMatchObject({ relation: 'change', status: 'open' })
    await write(rule('permit', 'changes', 'resource.relation == "change"'))
    await bureau.process([paper('c', 10)])
    expect(await only()).toMatchObject({
      status: 'resolved',
      resolution: { holds: 'both', policies: ['tenant/changes'] },
    })
  })
})

describe('the same documents', () => {
  const permuted = <Each>(list: readonly Each[]): Each[][] =>
    list.length < 2
      ? [[...list]]
      : list.flatMap((each, at) => permuted(list.toSpliced(at, 1)).map((rest) => [each, ...rest]))

  it.each([
    ['who repeats the old value', [paper('a', 10), paper('b', correction(12, 10)), paper('c', 10)]],
    ['who says something else', [paper('a', 10), paper('b', correction(12, 10)), paper('c', 14)]],
    ['two corrections', [paper('a', 10), paper('b', correction(12, 10)), paper('c', correction(14, 12))]],
    [
      'one that is taken back',
      [paper('a', 10), paper('b', correction(12, 10)), paper('c', correction(10, 12))],
    ],
    [
      'dated ones',
      [
        paper('a', { ...statement(10), assertedAt: 20_460 }),
        paper('b', correction(12, 10, { assertedAt: 20_470 })),
        paper('c', { ...statement(10), assertedAt: 20_480 }),
      ],
    ],
  ])('come to the same status in every order: %s', async (_, papers) => {
    const outcomes = new Set<string>()
    for (const [at, order] of permuted(papers).entries()) {
      const scopeId = `order-${at}`
      await makeScope(api(), tenant, scopeId)
      // Somebody who comes and goes changes what is found on the way, and nothing that is left.
      await bureau.process([paper('visitor', correction(11, 10))], scopeId)
      for (const each of order) await bureau.process([each], scopeId)
      await remove('visitor', scopeId)
      const found = await all(scopeId)
      const states = found.map(({ status, relation, severity, a, b, further, resolution }) =>
        JSON.stringify([
          a.documentId,
          a.quote,
          b.documentId,
          b.quote,
          relation,
          severity,
          status,
          further,
          status === 'open' ? null : [resolution?.holds, resolution?.policies],
        ]),
      )
      outcomes.add(states.toSorted().join('\n'))
    }
    expect([...outcomes]).toHaveLength(1)
    expect([...outcomes][0]).toMatch(/restatement/)
  })
})
