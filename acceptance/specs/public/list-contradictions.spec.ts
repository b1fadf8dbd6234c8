/** listContradictions: where the documents of a scope do not agree, with the words of both sides. */
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../events.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor } from '../../rules/pages.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import {
  charactersOf,
  claimsOf,
  contradict,
  contradictionsOf,
  HEADCOUNTS,
  OPENING,
  REVENUES,
  tell,
} from '../../world/claims.ts'
import type { Contradiction } from '../../world/claims.ts'
import { ingest, newDocumentId, remove, untilAllEnded, untilEnded } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { asAdmin, asAdminOf, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('listContradictions')
const scopeId = newScopeId()
let tenant: Tenant
let revenues: readonly [string, string]
let headcounts: readonly [string, string]

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  revenues = await contradict(tenant, scopeId, REVENUES)
  headcounts = await contradict(tenant, scopeId, HEADCOUNTS)
})

const good = () => ({ headers: bearer(tenant.key), params: { scopeId } })
const list = async (query = '', scope = scopeId) =>
  subject.expectAnswer(await subject.call({ ...good(), params: { scopeId: scope }, query }), 200)
const newScope = async () => (await createScope(tenant)).scope_id
const sidesOf = ({ a, b }: Contradiction) => [a, b].map((side) => side.document_id ?? '').toSorted()

async function theOne(query: string): Promise<Contradiction> {
  const { items } = await list(query)
  const [only] = items
  if (!only || items.length > 1) throw new Error(`There are ${items.length} contradictions with ${query}.`)
  return only
}

describe('listContradictions: 200', () => {
  it('shows one for each thing on which documents do not agree, newest first', async () => {
    const { items, next_cursor: next } = await list()
    expect(items.map((each) => [each.kind, sidesOf(each)])).toEqual([
      ['count', [...headcounts].toSorted()],
      ['money', [...revenues].toSorted()],
    ])
    expect(next).toBeNull()
    const times = items.map((each) => each.opened_at)
    expect(times.toSorted().toReversed()).toEqual(times)
  })

  it('shows both sides with their words, at their places in code points', async () => {
    const found = await theOne('kind=money')
    const texts = new Map(revenues.map((id, place) => [id, `${OPENING}${REVENUES[place]}`]))
    for (const side of [found.a, found.b]) {
      const text = texts.get(side.document_id ?? '') ?? ''
      expect(charactersOf(text, side.start, side.end)).toBe(side.quote)
      expect(REVENUES).toContain(side.quote)
      expect(side).toMatchObject({ version: 1, source: `Name of ${side.document_id}` })
      expect(side.quote).toContain(side.value?.text)
    }
    expect(new Set([found.a.value?.low, found.b.value?.low])).toEqual(new Set([11_900_000, 12_400_000]))
  })

  it('says what it is about, how far apart the sides are, and why it is one', async () => {
    const found = await theOne('kind=money')
    expect(found).toMatchObject({
      scope_id: scopeId,
      status: 'open',
      relation: 'conflict',
      entity: expect.stringMatching(/borealis/i),
      attribute: expect.stringMatching(/revenue/i),
      difference: { amount: 500_000, unit: 'EUR' },
      further: 0,
      resolution: null,
    })
    expect(found.difference?.share).toBe(0.0403)
    expect(found.explanation).not.toBe('')
  })

  it('names the claims of both sides', async () => {
    const found = await theOne('kind=money')
    const claims = new Map(
      (await claimsOf(tenant, scopeId, 'kind=money')).map((each) => [each.claim_id, each]),
    )
    for (const side of [found.a, found.b])
      expect(claims.get(side.claim_id ?? '')).toMatchObject({
        document_id: side.document_id,
        quote: side.quote,
        start: side.start,
        value: side.value,
      })
  })
})

describe('listContradictions: 200, one for each disagreement', () => {
  it('is empty where documents agree, or speak of something else', async () => {
    const scope = await newScope()
    await tell(tenant, scope, REVENUES[0])
    await tell(tenant, scope, REVENUES[0])
    await tell(tenant, scope, HEADCOUNTS[0])
    await tell(tenant, scope, REVENUES[1].replaceAll('Borealis', 'Zephyr'))
    expect(await list('', scope)).toEqual({ items: [], next_cursor: null })
  })

  it('counts further places that say the same, and makes no other of them', async () => {
    const scope = await newScope()
    await contradict(tenant, scope)
    await tell(tenant, scope, REVENUES[0])
    const { items } = await list('', scope)
    expect(items.map((each) => each.further)).toEqual([1])
  })

  it('shows the same at every process, and changes nothing by that', async () => {
    const urls = [...theTarget().urls, ...theTarget().urls]
    const replies = await Promise.all(urls.map((url) => subject.call({ ...good(), url })))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
  })

  it('finds the same whichever document came first', async () => {
    const found = await Promise.all(
      [
        [0, 1],
        [1, 0],
      ].map(async (order) => {
        const scope = await newScope()
        for (const place of order) await tell(tenant, scope, REVENUES[place] ?? '', `document-${place}`)
        return (await list('', scope)).items.map(withoutMoment)
      }),
    )
    expect(found[0]).toHaveLength(1)
    expect(found[0]).toEqual(found[1])
  })
})

/** Without what is made up anew for each scope, and the moments. */
function withoutMoment(found: Contradiction): object {
  const {
    contradiction_id: _id,
    scope_id: _scope,
    opened_at: _opened,
    updated_at: _updated,
    a,
    b,
    ...rest
  } = found
  return { ...rest, a: { ...a, claim_id: '' }, b: { ...b, claim_id: '' } }
}

describe('listContradictions: 200 for a part of them', () => {
  it.each<readonly [string, (each: Contradiction) => boolean]>([
    ['kind=money', (each) => each.kind === 'money'],
    ['kind=count', (each) => each.kind === 'count'],
    ['kind=reported', () => false],
    ['relation=conflict', (each) => each.relation === 'conflict'],
    ['relation=restatement', (each) => each.relation === 'restatement'],
    ['relation=change', (each) => each.relation === 'change'],
    ['severity=low', (each) => each.severity === 'low'],
    ['severity=medium', (each) => each.severity === 'medium'],
    ['severity=high', (each) => each.severity === 'high'],
    ['severity=critical', (each) => each.severity === 'critical'],
    ['status=open', (each) => each.status === 'open'],
    ['status=resolved', () => false],
    ['status=dismissed', () => false],
    ['status=open&kind=money&relation=conflict', (each) => each.kind === 'money'],
    ['status=resolved,open', (each) => each.status === 'open'],
    ['severity=low,medium,high', (each) => each.severity !== 'critical'],
  ])('shows those with %s', async (query, isOne) => {
    const all = (await list()).items
    expect((await list(query)).items).toEqual(all.filter(isOne))
  })

  it('shows the most severe first when asked, page by page', async () => {
    const scope = await newScope()
    for (const severity of ['low', 'critical', 'medium', 'critical'])
      await make('reportContradiction', {
        headers: bearer(tenant.key),
        body: {
          scope_id: scope,
          claim_a: `It is ${newDocumentId()}.`,
          claim_b: 'It is not.',
          source_a: 'memo',
          source_b: 'letter',
          severity,
        },
      })
    const seen: Contradiction[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null && pages < 5; pages += 1) {
      const page = await list(`order=severity&limit=1${cursor && `&cursor=${cursor}`}`, scope)
      seen.push(...page.items)
      cursor = page.next_cursor
    }
    expect(seen.map((each) => each.severity)).toEqual(['critical', 'critical', 'medium', 'low'])
    const [first, second] = (await list('severity=critical', scope)).items
    expect(seen.slice(0, 2)).toEqual([first, second])
  })

  it('shows those of which a document is either side', async () => {
    for (const [documentIds, kind] of [
      [revenues, 'money'],
      [headcounts, 'count'],
    ] as const)
      for (const id of documentIds)
        expect((await list(`document_id=${id}`)).items.map((each) => each.kind)).toEqual([kind])
    expect((await list(`document_id=${newDocumentId()}`)).items).toEqual([])
  })
})

describe('listContradictions: 200 as documents change', () => {
  it('takes back what a new version no longer says, and tells of it', async () => {
    const scope = await newScope()
    const [, other] = await contradict(tenant, scope)
    const [found] = await contradictionsOf(tenant, scope)
    await ingest(tenant, scope, { document_id: other, text: REVENUES[0] })
    await untilEnded(tenant, scope, other)
    expect((await list('', scope)).items).toEqual([])
    const told = (await readLog(tenant, scope)).filter(({ type }) => type.startsWith('contradiction.'))
    expect(told.map(({ type, subject: about }) => [type, about])).toEqual([
      ['contradiction.opened', found?.contradiction_id],
      ['contradiction.withdrawn', found?.contradiction_id],
    ])
  })

  it('takes back what a removed document said', async () => {
    const scope = await newScope()
    const [one] = await contradict(tenant, scope)
    expect((await list('', scope)).items).toHaveLength(1)
    await remove(tenant, scope, one)
    expect((await list('', scope)).items).toEqual([])
  })

  it('is empty after a reset, which counts what went', async () => {
    const scope = await newScope()
    await contradict(tenant, scope)
    const { length: claims } = await claimsOf(tenant, scope)
    const reset = await make('resetScope', { headers: asAdminOf(tenant), params: { scopeId: scope } })
    expect(reset.removed).toMatchObject({ claims, contradictions: 1 })
    expect((await list('', scope)).items).toEqual([])
    await contradict(tenant, scope)
    expect((await list('', scope)).items).toHaveLength(1)
  })

  it('finds between many at once what it finds between two', async () => {
    const scope = await newScope()
    await Promise.all(
      [...REVENUES, ...HEADCOUNTS, REVENUES[0], 'Hello there.'].map((text) =>
        ingest(tenant, scope, { document_id: newDocumentId(), text }),
      ),
    )
    await untilAllEnded(tenant, scope)
    expect((await list('', scope)).items.map((each) => each.kind).toSorted()).toEqual(['count', 'money'])
  })
})

describe('listContradictions: nothing of another tenant', () => {
  it('compares no document with that of a twin, and shows nothing of it', async () => {
    const [left, right] = await Promise.all([createTenant(), createTenant()])
    const scope = newScopeId()
    for (const twin of [left, right]) await createScope(twin, scope)
    await tell(left, scope, REVENUES[0], 'same')
    await tell(right, scope, REVENUES[1], 'other')
    for (const twin of [left, right]) expect(await contradictionsOf(twin, scope)).toEqual([])
  })
})

describe('listContradictions: 422', () => {
  it.each([
    ['status', ['', 'Open', 'withdrawn', 'open,', ',', 'open,withdrawn', 'open&status=open', '%00']],
    ['severity', ['', 'HIGH', 'none', '1', 'high,none']],
    ['order', ['', 'Severity', 'oldest', 'newest,severity']],
    ['relation', ['', 'same', 'refinement', 'not_comparable']],
    ['kind', ['', 'value', 'Money']],
    ['document_id', ['', '%00', 'a'.repeat(201)]],
  ])('refuses a %s that cannot be', async (name, values) => {
    for (const value of values) {
      const reply = await subject.call({ ...good(), query: `${name}=${value}` })
      subject.expectProblem(reply, 'validation_failed', { pointers: [`query#/${name}`] })
    }
  })
})

describePages<Contradiction>(subject, {
  list: good,
  idOf: (item) => item.contradiction_id,
  present: () => [],
  foreignCursor: async () => {
    await createTenant()
    return firstCursor(createSubject('listTenants'), { headers: asAdmin() })
  },
})
describeScopePlace(subject, (scope) => ({ ...good(), params: { scopeId: scope } }))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
