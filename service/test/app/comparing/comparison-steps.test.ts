/** Facts are compared by a model outside of every transaction, each pair once; what is found stays until a side goes. */
import { beforeEach, describe, expect, it } from 'vitest'
import { askModelAboutStep, completeStep, leaseStep } from '../../../src/app/comparing/comparison-steps.ts'
import { getContradiction, listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { getConvergence } from '../../../src/app/scopes/convergence.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { putPolicy } from '../../../src/app/access/policies.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import { openBureau } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { compareByNumbers, openComparing, questionIn, verdictOn } from '../../support/comparing-model.ts'
import type { Comparing } from '../../support/comparing-model.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look, pictureOf } from '../../support/documents.ts'
import { factRows, stated, statedPaper } from '../../support/facts.ts'
import { engine } from '../../support/judging.ts'
import { answerWith, completion, failWith, sendJson, useModelServer } from '../../support/model-endpoint.ts'
import { auditor, makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const server = useModelServer()
const api = usePools(database, 2)
const worker = usePools(database, 6, 'worker')
let tenant: TestTenant
let bureau: Bureau
let comparing: Comparing

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
  comparing = openComparing(worker(), tenant, bureau, server())
  server().behave(compareByNumbers())
})

const rows = () => factRows(database(), tenant)
const list = async () =>
  (
    await listContradictions(documentsDeps(api()), tenant.caller, 'default', {
      limit: 100,
      cursor: undefined,
    })
  ).items
const pairs = async () =>
  (await list())
    .map(({ a, b }) => `${a.documentId} ${a.claim?.valueText} – ${b.documentId} ${b.claim?.valueText}`)
    .toSorted()
const remove = (documentId: string) =>
  removeDocument(documentsDeps(api()), tenant.caller, 'default', documentId)
const convergence = () => getConvergence({ pools: api() }, tenant.caller, 'default')
const kinds = async () => (await logOf(database(), tenant)).map(({ kind }) => kind)
const makeDue = () =>
  look(database(), 'update comparison_steps set due_at = now() where tenant_id = $1', [tenant.tenantId])

describe('a step', () => {
  it('opens one contradiction for each pair of facts, with the model that decided it', async () => {
    await bureau.process([statedPaper('d1', stated(10))])
    await bureau.process([statedPaper('d2', stated(11)), statedPaper('d3', stated(11))])
    expect(await comparing.compareAll()).toEqual(['compared', 'compared'])
    expect(await pairs()).toEqual(['d1 EUR 10m – d2 EUR 11m'])
    expect(await list()).toMatchObject([
      {
        title: 'What is right?',
        rule: 'model:served-model/1',
        severity: 'high',
        confidence: 0.9,
        relation: 'conflict',
        explanation: expect.stringContaining('Name of d1 says “The revenue of Borealis in 2025 is EUR 10m.”'),
        // Another document states the second fact as well.
        further: 1,
      },
    ])
    expect(await rows()).toMatchObject({ facts: ['d1.0 done t', 'd2.0 d3.0 done t'], steps: [] })
    expect(await convergence()).toMatchObject({
      state: 'contested',
      claims: 3,
      claimsCompared: 3,
      comparisonsPending: 0,
    })
    expect(comparing.announced).toEqual(['default', 'default'])
  })

  it('asks about each pair once, whichever document came first', async () => {
    await bureau.process([statedPaper('d1', stated(10))])
    await bureau.process([statedPaper('d2', stated(11))])
    const [first, second] = await comparing.due()
    if (!first || !second) throw new Error('two steps are due')
    for (const place of [second, first]) {
      const taken = await leaseStep(comparing.deps, place)
      if (typeof taken === 'string') throw new Error('the step is not there')
      await completeStep(comparing.deps, taken, await askModelAboutStep(comparing.deps, taken))
    }
    expect(await pairs()).toEqual(['d1 EUR 10m – d2 EUR 11m'])
    expect(server().requests.map(({ body }) => Object.keys(questionIn(body))[0])).toEqual(['new', 'a'])
  })

  it('sends no request if there are no other facts, and the claims are not compared', async () => {
    await bureau.process([statedPaper('d1', stated(10), stated(11, 'Borealis', 'debt'))])
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(server().requests).toEqual([])
    expect(await convergence()).toMatchObject({ state: 'unassessed', claimsCompared: 0, blockers: [] })
  })

  it('sends a document with instructions to the model in a separate request', async () => {
    const claim = stated(12)
    const isolated = {
      ...claim,
      ...(claim.stated && { stated: { ...claim.stated, isolated: true as const } }),
    }
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', isolated)])
    await comparing.compareAll()
    await bureau.process([statedPaper('d3', stated(11))])
    server().requests.length = 0
    await comparing.compareAll()
    const shown = server()
      .requests.map(({ body }) => questionIn(body))
      .flatMap(({ earlier }) => (earlier ? [earlier.map(({ title }) => title).join(', ')] : []))
    expect(shown.toSorted((x, y) => x.localeCompare(y))).toEqual(['Name of d1', 'Name of d2'])
    expect(await pairs()).toHaveLength(3)
  })

  it('asks about halves of the documents if the model does not answer', async () => {
    await bureau.process([1, 2, 3, 4, 5].map((nth) => statedPaper(`d${nth}`, stated(10 + nth))))
    await comparing.compareAll()
    await bureau.process([statedPaper('d6', stated(30))])
    const honest = compareByNumbers()
    server().behave((request, response) =>
      JSON.stringify(questionIn(request.body).earlier ?? []).includes('EUR 13m')
        ? sendJson(response, 200, completion('No.'))
        : honest(request, response),
    )
    expect(await comparing.compareAll()).toEqual(['again'])
    await makeDue()
    await comparing.compareAll()
    await makeDue()
    expect(await comparing.compareAll()).toEqual(['declined'])
    const found = (await pairs()).filter((pair) => pair.includes('d6'))
    expect(found.map((pair) => pair.slice(0, 2))).toEqual(['d1', 'd2', 'd4', 'd5'])
  })

  it('reports nothing that verification rejects', async () => {
    server().behave(compareByNumbers({ verdict: 'compatible' }))
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
    await comparing.compareAll()
    expect(await pairs()).toEqual([])
    server().behave(compareByNumbers({ confidence: 0.4 }))
    await bureau.process([statedPaper('d3', stated(12))])
    await comparing.compareAll()
    expect(await pairs()).toEqual([])
    expect(await convergence()).toMatchObject({ state: 'settled', claimsCompared: 3 })
  })

  it('compares with the best facts by words if the scope exceeds the budget', async () => {
    const papers = Array.from({ length: 30 }, (_, nth) =>
      statedPaper(
        `p${nth}`,
        ...Array.from({ length: 4 }, (_each, at) => stated(5, `Firm${nth}`, `measure${at}`)),
      ),
    )
    await bureau.process([statedPaper('d1', stated(10)), ...papers])
    comparing = openComparing(worker(), tenant, bureau, server(), { budget: 100 })
    await comparing.compareAll()
    server().requests.length = 0
    await bureau.process([statedPaper('d2', stated(11), stated(6, 'Firm7', 'measure2'))])
    await comparing.compareAll()
    expect(await pairs()).toEqual(['d1 EUR 10m – d2 EUR 11m', 'd2 EUR 6m – p7 EUR 5m'])
    const [compared] = server().requests.map(({ body }) => questionIn(body))
    const offered = compared?.earlier?.flatMap(({ claims }) => claims) ?? []
    expect(offered.length).toBeLessThanOrEqual(40)
    expect(offered.length).toBeGreaterThan(2)
  })

  it('respects policies: a document that may not be sent is not compared', async () => {
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
    const forbid = `@id("not-sent")
forbid (principal, action == Concord::Action::"process_document", resource == Concord::Document::"d1")
when { context.stage == "compare" };`
    const policyDeps = { pools: api(), policyEngine: engine, auditor }
    await putPolicy(policyDeps, tenant.caller, null, forbid)
    expect((await comparing.compareAll()).toSorted()).toEqual(['compared', 'not_allowed'])
    expect(await pairs()).toEqual([])
    expect(server().requests).toEqual([])
    expect(await convergence()).toMatchObject({
      comparisonsPending: 0,
      comparisonsHeld: { not_permitted: 1 },
    })
  })
})

describe('a contradiction between facts', () => {
  beforeEach(async () => {
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
    await comparing.compareAll()
  })

  it('stays while documents arrive that agree with either side', async () => {
    const [before] = await list()
    for (let nth = 0; nth < 12; nth += 1)
      await bureau.process([statedPaper(`e${nth}`, stated(10 + (nth % 2)))])
    expect(await comparing.compareAll()).toEqual([])
    const [after] = await list()
    expect(after).toEqual({ ...before, further: 12 })
    expect((await kinds()).filter((kind) => kind === 'contradiction.withdrawn')).toEqual([])
  })

  it('is shown by the witnesses of the lowest document ids, the earlier date first, whenever they came', async () => {
    const [before] = await list()
    await bureau.process([
      statedPaper('c1', stated(3, 'Borealis', 'debt'), stated(11, 'Borealis', 'revenue', 100)),
    ])
    expect(await pairs()).toEqual(['c1 EUR 11m – d1 EUR 10m'])
    await bureau.process([statedPaper('c2', stated(10, 'Borealis', 'revenue', 90))])
    await comparing.compareAll()
    expect(await pairs()).toEqual(['c2 EUR 10m – c1 EUR 11m'])
    const [after] = await list()
    expect(after?.contradictionId).toBe(before?.contradictionId)
    expect(after).toMatchObject({ title: before?.title, further: 2 })
    expect(after?.explanation).not.toContain('Name of')
    await remove('c1')
    expect(await pairs()).toEqual(['c2 EUR 10m – d2 EUR 11m'])
    expect((await kinds()).filter((kind) => kind === 'contradiction.withdrawn')).toEqual([])
  })

  it('names the side that a person upheld, even if the sides change places', async () => {
    const [found] = await list()
    const id = found?.contradictionId ?? ''
    const settlement = { outcome: 'resolved', holds: 'a', by: null, reason: 'The report is right.' } as const
    await resolveContradiction(documentsDeps(api()), tenant.caller, 'default', id, settlement)
    await bureau.process([statedPaper('c1', stated(11))])
    const after = await getContradiction(documentsDeps(api()), tenant.caller, 'default', id)
    expect(after).toMatchObject({ status: 'resolved', b: { documentId: 'd1' }, resolution: { holds: 'b' } })
  })

  it('is shown by another witness if one is removed, and withdrawn with the last', async () => {
    await bureau.process([statedPaper('d3', stated(11))])
    const [before] = await list()
    await remove('d2')
    const [after] = await list()
    expect(await pairs()).toEqual(['d1 EUR 10m – d3 EUR 11m'])
    expect(after?.contradictionId).toBe(before?.contradictionId)
    expect(after?.explanation).not.toContain('d2')
    expect(
      (await logOf(database(), tenant)).filter(({ kind }) => kind === 'contradiction.changed'),
    ).toMatchObject([{ data: { contradiction_id: before?.contradictionId, document_ids: ['d1', 'd3'] } }])
    await remove('d3')
    expect(await pairs()).toEqual([])
    expect(
      (await logOf(database(), tenant)).findLast(({ kind }) => kind === 'contradiction.withdrawn'),
    ).toMatchObject({
      data: { contradiction_id: before?.contradictionId, reason: 'removed' },
    })
    expect(await rows()).toMatchObject({ facts: ['d1.0 done t'], steps: [] })
  })

  it('stays if the next version states the same, and is withdrawn if it does not', async () => {
    const [before] = await list()
    await bureau.process([statedPaper('d2', stated(3, 'Borealis', 'debt'), stated(11))])
    const [after] = await list()
    expect(after).toMatchObject({
      contradictionId: before?.contradictionId,
      b: { documentId: 'd2', version: 2 },
    })
    await bureau.process([statedPaper('d2', stated(10))])
    expect(await pairs()).toEqual([])
    expect(
      (await logOf(database(), tenant)).findLast(({ kind }) => kind === 'contradiction.withdrawn'),
    ).toMatchObject({
      data: { reason: 'replaced' },
    })
  })

  it('keeps the decision of a person, also when it is found again', async () => {
    const [found] = await list()
    const id = found?.contradictionId ?? ''
    const settlement = { outcome: 'resolved', holds: 'a', by: null, reason: 'The report is right.' } as const
    await resolveContradiction(documentsDeps(api()), tenant.caller, 'default', id, settlement)
    await remove('d2')
    await bureau.process([statedPaper('d2', stated(11))])
    await comparing.compareAll()
    expect(await getContradiction(documentsDeps(api()), tenant.caller, 'default', id)).toMatchObject({
      status: 'resolved',
    })
  })
})

describe('a lease', () => {
  beforeEach(async () => {
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
    const [first] = await comparing.due()
    const taken = first && (await leaseStep(comparing.deps, first))
    if (!taken || typeof taken === 'string') throw new Error('the step of the first document is due')
    await completeStep(comparing.deps, taken, await askModelAboutStep(comparing.deps, taken))
  })

  it('excludes other workers from the step, and expires when its worker is gone', async () => {
    const short = openComparing(worker(), tenant, bureau, server(), { leaseMs: 200 })
    const taken = await short.takeOne()
    expect(await leaseStep(comparing.deps, taken.ref)).toBe('gone')
    await expect.poll(() => comparing.due(), { timeout: 5_000 }).toHaveLength(1)
    expect(await comparing.compareAll()).toEqual(['compared'])
    // The first worker was only slow: what it brings has no effect.
    const before = await pictureOf(database(), tenant)
    expect(await completeStep(short.deps, taken, await askModelAboutStep(short.deps, taken))).toBe('gone')
    expect(await pictureOf(database(), tenant)).toEqual(before)
    expect(await pairs()).toHaveLength(1)
  })

  it.each(['replaced', 'removed'])('writes nothing of a document that was %s meanwhile', async (end) => {
    const taken = await comparing.takeOne()
    const answer = await askModelAboutStep(comparing.deps, taken)
    expect(answer.pairs).toHaveLength(1)
    await (end === 'removed' ? remove('d2') : bureau.process([statedPaper('d2', stated(12))]))
    const before = await pictureOf(database(), tenant)
    expect(await completeStep(comparing.deps, taken, answer)).toBe('gone')
    expect(await pictureOf(database(), tenant)).toEqual(before)
  })

  it('writes nothing of a pair whose other side was removed meanwhile', async () => {
    const taken = await comparing.takeOne()
    const answer = await askModelAboutStep(comparing.deps, taken)
    await remove('d1')
    expect(await completeStep(comparing.deps, taken, answer)).toBe('compared')
    expect(await pairs()).toEqual([])
  })
})

describe('an endpoint that fails', () => {
  beforeEach(async () => {
    await bureau.process([statedPaper('d1', stated(10))])
    await comparing.compareAll()
    await bureau.process([statedPaper('d2', stated(11))])
  })

  it('postpones the step as long as it requests, and uses no attempt up', async () => {
    server().behave(failWith(429, { 'retry-after': '120' }))
    expect(await comparing.compareAll()).toEqual(['failed'])
    expect(await comparing.due()).toEqual([])
    const [row] = await look<{ failures: number; refusals: number; seconds: number }>(
      database(),
      `select failures, refusals, extract(epoch from due_at - now())::int as seconds from comparison_steps where tenant_id = $1`,
      [tenant.tenantId],
    )
    expect(row).toMatchObject({ failures: 1, refusals: 0 })
    expect(row?.seconds).toBeGreaterThan(100)
    expect(await convergence()).toMatchObject({
      state: 'working',
      blockers: [{ kind: 'comparison_pending' }],
    })
    await makeDue()
    server().behave(compareByNumbers())
    comparing = openComparing(worker(), tenant, bureau, server())
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(await pairs()).toHaveLength(1)
  })

  it('is asked three times after invalid answers; then the claims are not compared, and the scope shows that', async () => {
    server().behave(answerWith('{"pairs": "none"}'))
    for (const end of ['again', 'again', 'declined']) {
      expect(await comparing.compareAll()).toEqual([end])
      await makeDue()
    }
    expect(await rows()).toMatchObject({
      facts: ['d1.0 done f', 'd2.0 refused f'],
      steps: [],
      counts: { refused: 1 },
    })
    expect(await convergence()).toMatchObject({
      state: 'converging',
      claimsCompared: 0,
      blockers: [{ kind: 'comparison_incomplete', id: 'default' }],
    })
    await remove('d2')
    expect(await convergence()).toMatchObject({ blockers: [] })
  })

  it('finds only offered facts if it names others', async () => {
    server().behave(({ body }, response) => {
      const question = questionIn(body)
      const claim = { relation: 'conflict', why: 'so', confidence: 1 }
      const strange = ['N2', 'E0', 'E99999', 'd1', '../E1', '', 1, null].flatMap((each) => [
        { ...claim, a: 'N1', b: each },
        { ...claim, a: each, b: 'E1' },
      ])
      const answer = question.new
        ? { pairs: [...strange, { ...claim, a: 'E1', b: 'N1' }, { ...claim, a: 'N1', b: 'E1' }], more: 'x' }
        : verdictOn(question)
      sendJson(response, 200, completion(JSON.stringify(answer)))
    })
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(await pairs()).toEqual(['d1 EUR 10m – d2 EUR 11m'])
    // One comparison and one verification.
    expect(server().requests).toHaveLength(2)
  })
})
