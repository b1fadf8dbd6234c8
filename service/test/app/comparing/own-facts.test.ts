/** A fact that a document states twice and differently is asked about in a request of its own, each pair once, and stays until a side goes. */
import { beforeEach, describe, expect, it } from 'vitest'
import { askModelAboutStep, completeStep, leaseStep } from '../../../src/app/comparing/comparison-steps.ts'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { getConvergence } from '../../../src/app/scopes/convergence.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { putPolicy } from '../../../src/app/access/policies.ts'
import { openBureau } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { compareByNumbers, openComparing, questionIn } from '../../support/comparing-model.ts'
import type { Comparing } from '../../support/comparing-model.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { stated, statedPaper } from '../../support/facts.ts'
import { engine } from '../../support/judging.ts'
import { completion, sendJson, useModelServer } from '../../support/model-endpoint.ts'
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
const eventsOf = async (kind: string) =>
  (await logOf(database(), tenant)).filter((event) => event.kind === kind)
const convergence = () => getConvergence({ pools: api() }, tenant.caller, 'default')
const asked = () => server().requests.map(({ body }) => questionIn(body))
/** Requests about the facts of one document. */
const within = () => asked().flatMap(({ claims }) => (claims ? [claims] : []))
/** Facts that resemble nothing. */
const others = (count: number) =>
  Array.from({ length: count }, (_, nth) => stated(nth, `Firm${nth}`, `measure${nth}`))

describe('a document that contradicts itself', () => {
  it('is reported like any other contradiction, as an internal one, with both quotes', async () => {
    await bureau.process([statedPaper('d1', stated(10), stated(3, 'Borealis', 'debt'), stated(11))])
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(await pairs()).toEqual(['d1 EUR 10m – d1 EUR 11m'])
    expect(within()).toEqual([
      [expect.stringContaining('C1 fact [2025] The revenue'), expect.stringContaining('C2 fact [2025]')],
    ])
    expect(await list()).toMatchObject([
      {
        relation: 'conflict',
        rule: 'model:served-model/1',
        a: { claim: { span: [0, 40] } },
        b: { claim: { span: [200, 240] } },
      },
    ])
    expect(await eventsOf('contradiction.opened')).toMatchObject([
      { data: { document_ids: ['d1', 'd1'], internal: true } },
    ])
    expect(await convergence()).toMatchObject({ comparisonsPending: 0, claimsCompared: 0 })
  })

  it('is verified with the prompt for one document, with both places', async () => {
    await bureau.process([statedPaper('d1', stated(10), stated(11))])
    await comparing.compareAll()
    const verification = server().requests.at(-1)?.body
    expect(JSON.stringify(verification)).toContain('from two places of one document')
    expect(asked().at(-1)).toMatchObject({ a: { title: 'Name of d1' }, b: { title: 'Name of d1' } })
  })

  it('is not reported if verification rejects it', async () => {
    server().behave(compareByNumbers({ verdict: 'compatible' }))
    await bureau.process([statedPaper('d1', stated(10), stated(11))])
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(asked()).toHaveLength(2)
    expect(await pairs()).toEqual([])
  })

  it('causes requests only if facts may disagree', async () => {
    const quoted = stated(12)
    const alleged = {
      ...quoted,
      ...(quoted.stated && { stated: { ...quoted.stated, modality: 'allegation' as const } }),
    }
    await bureau.process([
      statedPaper('d1', stated(10), stated(11, 'Aurora'), stated(9, 'Borealis', 'debt'), alleged),
    ])
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(server().requests).toEqual([])
  })

  it('is incomplete if the model declines, and other comparisons of the step are written', async () => {
    await bureau.process([statedPaper('d1', stated(20))])
    await comparing.compareAll()
    const honest = compareByNumbers()
    server().behave((request, response) =>
      questionIn(request.body).claims
        ? sendJson(response, 200, completion('No.'))
        : honest(request, response),
    )
    await bureau.process([statedPaper('d2', stated(10), stated(11))])
    const ends: string[] = []
    for (let time = 0; time < 3; time += 1) {
      ends.push(...(await comparing.compareAll()))
      await look(database(), 'update comparison_steps set due_at = now() where tenant_id = $1', [
        tenant.tenantId,
      ])
    }
    expect(ends).toEqual(['again', 'again', 'declined'])
    expect(await pairs()).toEqual(['d1 EUR 20m – d2 EUR 10m', 'd1 EUR 20m – d2 EUR 11m'])
    const { blockers } = await convergence()
    expect(blockers.map(({ kind }) => kind)).toContain('comparison_incomplete')
  })
})

describe('facts of one document in several steps', () => {
  const paper = () => statedPaper('d1', stated(10), ...others(120), stated(11))

  it.each(['in order', 'the last one first'])('are asked about once, %s', async (order) => {
    await bureau.process([paper()])
    const due = await comparing.due()
    expect(due).toHaveLength(2)
    for (const place of order === 'in order' ? due : due.toReversed()) {
      const taken = await leaseStep(comparing.deps, place)
      if (typeof taken === 'string') throw new Error('the step is not there')
      await completeStep(comparing.deps, taken, await askModelAboutStep(comparing.deps, taken))
    }
    expect(within()).toHaveLength(1)
    expect(await pairs()).toEqual(['d1 EUR 10m – d1 EUR 11m'])
  })

  it('are compared in a later version with facts that an earlier one kept', async () => {
    await bureau.process([statedPaper('d1', stated(10), ...others(3))])
    await comparing.compareAll()
    expect(asked()).toEqual([])
    await bureau.process([statedPaper('d1', stated(10), ...others(3), stated(11))])
    await comparing.compareAll()
    expect(await pairs()).toEqual(['d1 EUR 10m – d1 EUR 11m'])
    await bureau.process([statedPaper('d1', stated(10), ...others(3))])
    await comparing.compareAll()
    expect(await pairs()).toEqual([])
    expect(await eventsOf('contradiction.withdrawn')).toMatchObject([{ data: { reason: 'replaced' } }])
  })
})

describe('beside other documents', () => {
  const idOf = async () => (await list()).map(({ contradictionId }) => contradictionId)

  it('stays, whatever is added, and is withdrawn with its document', async () => {
    await bureau.process([statedPaper('d1', stated(10), stated(11))])
    await comparing.compareAll()
    const before = await idOf()
    await bureau.process(['e1', 'e2', 'e3'].map((id) => statedPaper(id, stated(10))))
    await comparing.compareAll()
    expect(await idOf()).toEqual(before)
    expect(within()).toHaveLength(1)
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'd1')
    expect(await pairs()).toEqual([])
  })

  it('compares a fact as that of the document that states it first, and makes it internal when that one is removed', async () => {
    await bureau.process([statedPaper('a1', stated(10))])
    await bureau.process([statedPaper('d1', stated(10), stated(11))])
    await comparing.compareAll()
    expect(within()).toEqual([])
    expect(await pairs()).toEqual(['a1 EUR 10m – d1 EUR 11m'])
    const before = await idOf()
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'a1')
    expect(await pairs()).toEqual(['d1 EUR 10m – d1 EUR 11m'])
    expect(await idOf()).toEqual(before)
  })

  it('is found even if the other one may not be sent', async () => {
    const forbid = `@id("not-sent")
forbid (principal, action == Concord::Action::"process_document", resource == Concord::Document::"a1")
when { context.stage == "compare" };`
    await putPolicy({ pools: api(), policyEngine: engine, auditor }, tenant.caller, null, forbid)
    await bureau.process([statedPaper('a1', stated(10))])
    await bureau.process([statedPaper('d1', stated(10), stated(11))])
    expect((await comparing.compareAll()).toSorted()).toEqual(['compared', 'not_allowed'])
    expect(JSON.stringify(asked())).not.toContain('Name of a1')
    expect(await list()).toHaveLength(1)
  })
})
