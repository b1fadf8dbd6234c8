/** A removal answers at once, and leaves what its claims leave to be compared to steps; in the end all is as if it had never been there. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { getConvergence } from '../../../src/app/scopes/convergence.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { findDueGroupSteps, runGroupStep } from '../../../src/app/comparing/group-steps.ts'
import type { GroupStepDeps } from '../../../src/app/comparing/group-steps.ts'
import { openCompareThread } from '../../../src/main/compare-thread.ts'
import type { CompareThread } from '../../../src/main/compare-thread.ts'
import { createGroupComparer } from '../../../src/worker/group-comparer.ts'
import { selectModelBacklog } from '../../../src/store/model/model-backlog.ts'
import type { StepRef } from '../../../src/store/comparing/comparison-steps.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau, Paper } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

vi.setConfig({ testTimeout: 180_000 })

/** A request is given up after 5 s; on a quiet machine it takes some 300 ms. */
const MAX_MS = 3_000

const database = useDatabase()
const api = usePools(database)
const worker = usePools(database, 4, 'worker')
let thread: CompareThread
let tenant: TestTenant
let bureau: Bureau

beforeAll(() => {
  thread = openCompareThread({ url: database().url('worker'), masterKeys }, silentLog)
})
afterAll(async () => thread.stop())

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  await makeScope(api(), tenant, 'again')
  bureau = openBureau(api(), worker(), tenant, undefined, thread.completeHeavy)
})

/** Words without digits, which are not part of a name. */
function nameOf(index: number): string {
  return `Boreal${index.toString(2).padStart(9, '0').replaceAll('0', 'la').replaceAll('1', 'lo')}s`
}

/** One of five values for each of so many subjects. */
function paper(nth: number, subjects = 60): Paper {
  const claims = Array.from({ length: subjects }, (_, index) =>
    statement(1 + ((index + nth) % 5), nameOf(index), `${nameOf(index)}margin`),
  )
  return { documentId: `heavy-${String(nth).padStart(2, '0')}`, claims }
}

/** Other values than all others have. */
function onItsOwn(nth: number, subjects: number): Paper {
  const subjectsOf = Array.from({ length: subjects }, (_, index) => nameOf(index))
  const claims = subjectsOf.map((name) => statement(1 + nth, name, `${name}margin`))
  return { documentId: paper(nth).documentId, claims }
}

const remove = (documentId: string) =>
  removeDocument(documentsDeps(api()), tenant.caller, 'default', documentId)
const convergence = (scopeId = 'default') => getConvergence({ pools: api() }, tenant.caller, scopeId)
const deps = (over: Partial<GroupStepDeps> = {}): GroupStepDeps => ({
  pools: worker(),
  compare: thread.compareGroups,
  announceEvents: () => undefined,
  ...over,
})

/** Other tests leave steps behind. */
async function findDue(): Promise<StepRef[]> {
  const due = await findDueGroupSteps(deps(), 1_000)
  return due.filter(({ tenantId }) => tenantId === tenant.tenantId)
}

async function compareAll(over: Partial<GroupStepDeps> = {}): Promise<string[]> {
  const outcomes: string[] = []
  for (let due = await findDue(); due.length > 0; due = await findDue())
    for (const place of due) outcomes.push(await runGroupStep(deps(over), place))
  return outcomes
}

/** All that follows from the claims of a scope. */
async function stateOf(scopeId: string) {
  const { ended: _, head: __, points: ___, trend: ____, ...figures } = await convergence(scopeId)
  const cuts = await look(
    database(),
    `select c.claims, c.findings, c.total from comparison_cuts c where tenant_id = $1 and scope_id = $2 order by 1, 2, 3`,
    [tenant.tenantId, scopeId],
  )
  const counts = await look(
    database(),
    `select claims::int, compared::int, cuts, cut_claims::int, cut_findings::int from claim_counts
      where tenant_id = $1 and scope_id = $2`,
    [tenant.tenantId, scopeId],
  )
  const blockers = figures.blockers.map(({ kind }) => kind).toSorted()
  const [claims, findings] = [await bureau.claims(scopeId), await bureau.findings(scopeId)]
  return { ...figures, blockers, cuts, counts, claims, findings }
}

describe('a document that leaves much to compare', () => {
  it('disappears from every response at once, and the scope is working until its groups are compared', async () => {
    for (const nth of [1, 2, 3]) await bureau.process([paper(nth)])
    for (const nth of [1, 3]) await bureau.process([paper(nth)], 'again')
    const announced: string[] = []
    expect(await remove('heavy-02')).toMatchObject({ versions: 1 })
    const left = await bureau.rows()
    expect(left.flatMap(({ documentA, documentB }) => [documentA, documentB])).not.toContain('heavy-02')
    expect((await bureau.claims()).filter((claim) => claim.includes('heavy-02'))).toEqual([])
    const { state, comparisonsPending, blockers } = await convergence()
    expect({ state, kinds: blockers.map(({ kind }) => kind) }).toMatchObject({
      state: 'working',
      kinds: expect.arrayContaining(['comparison_pending']),
    })
    expect(comparisonsPending).toBeGreaterThan(1)
    expect(new Set(await compareAll({ announceEvents: (_, scope) => announced.push(scope) }))).toEqual(
      new Set(['compared']),
    )
    expect(announced).toHaveLength(comparisonsPending)
    expect(await stateOf('default')).toEqual(await stateOf('again'))
    await expect(remove('heavy-02')).rejects.toMatchObject({ code: 'document_not_found' })
  })

  it('gives the same result if groups are cut and another document arrives before they are compared', async () => {
    const papers = Array.from({ length: 36 }, (_, nth) => onItsOwn(nth, [7, 8].includes(nth) ? 31 : 5))
    for (const each of papers.slice(0, 34)) await bureau.process([each])
    await remove('heavy-07')
    await remove('heavy-08')
    for (const each of papers.slice(34)) await bureau.process([each])
    await compareAll()
    const others = papers.filter(({ documentId }) => !['heavy-07', 'heavy-08'].includes(documentId))
    for (const each of others) await bureau.process([each], 'again')
    const [removed, never] = [await stateOf('default'), await stateOf('again')]
    expect(never.cuts.length).toBeGreaterThan(4)
    // A finding of a group that is cut stays, so only what follows from the claims alone is the same.
    expect(removed.claims).toEqual(never.claims)
    expect(removed.cuts.map((cut) => ({ ...cut, findings: 0 }))).toEqual(
      never.cuts.map((cut) => ({ ...cut, findings: 0 })),
    )
  })

  it('is removed within the time of a request if thousands of claims are in its groups', async () => {
    const papers = Array.from({ length: 8 }, (_, nth) => onItsOwn(nth, 400))
    for (const each of papers) await bureau.process([each])
    const before = performance.now()
    await remove('heavy-05')
    const tookMs = performance.now() - before
    expect((await convergence()).state).toBe('working')
    await compareAll()
    expect((await convergence()).comparisonsPending).toBe(0)
    expect(tookMs).toBeLessThan(MAX_MS)
  })
})

describe('a step of groups', () => {
  beforeEach(async () => {
    for (const nth of [1, 2, 3]) await bureau.process([paper(nth)])
    for (const nth of [1, 3]) await bureau.process([paper(nth)], 'again')
    await remove('heavy-02')
  })

  it('is compared by the next worker if one crashed with it', async () => {
    const [place] = await findDue()
    if (!place) throw new Error('a step is due')
    const died = runGroupStep(deps({ compare: () => new Promise(() => undefined) }), place)
    await vi.waitUntil(async () => !(await findDue()).some(({ step }) => step === place.step))
    void died
    await compareAll()
    expect((await convergence()).comparisonsPending).toBe(1)
    await look(database(), 'update comparison_steps set due_at = now() where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(await compareAll()).toEqual(['compared'])
    expect(await stateOf('default')).toEqual(await stateOf('again'))
  })

  it('is written once if two workers compare it', async () => {
    const [place] = await findDue()
    if (!place) throw new Error('a step is due')
    const outcome = await runGroupStep(
      deps({
        async compare(taken) {
          expect(await thread.compareGroups(taken)).toBe('compared')
          return thread.compareGroups(taken)
        },
      }),
      place,
    )
    expect(outcome).toBe('gone')
    await compareAll()
    expect(await stateOf('default')).toEqual(await stateOf('again'))
  })

  it('is retried later if it fails', async () => {
    const [place] = await findDue()
    if (!place) throw new Error('a step is due')
    const compare = () => Promise.reject(new Error('the thread ended'))
    await expect(runGroupStep(deps({ compare }), place)).rejects.toThrow('the thread ended')
    expect(
      await look(
        database(),
        `select failures, due_at > now() + interval '1 s' as later from comparison_steps
          where tenant_id = $1 and step = $2`,
        [tenant.tenantId, place.step],
      ),
    ).toEqual([{ failures: 1, later: true }])
  })

  it('is among the steps that the service shows as open', async () => {
    const { comparisons, oldestComparisonMs } = await selectModelBacklog(worker().kernel)
    expect(comparisons.pending).toBeGreaterThanOrEqual((await findDue()).length)
    expect(oldestComparisonMs).toBeGreaterThan(0)
  })

  it('waits while the scope is paused', async () => {
    await look(database(), `update scope_heads set runtime_state = 'paused' where tenant_id = $1`, [
      tenant.tenantId,
    ])
    expect(await findDue()).toEqual([])
    await look(database(), `update scope_heads set runtime_state = 'running' where tenant_id = $1`, [
      tenant.tenantId,
    ])
    expect((await findDue()).length).toBeGreaterThan(0)
  })

  it('is taken by the loop of a worker, with events for what it withdraws and opens', async () => {
    const loop = createGroupComparer({ ...deps(), everyMs: 10, log: silentLog })
    await loop.start()
    await vi.waitUntil(async () => (await convergence()).comparisonsPending === 0, { timeout: 60_000 })
    await loop.stop()
    expect(await stateOf('default')).toEqual(await stateOf('again'))
    const kinds = (await logOf(database(), tenant)).map(({ kind }) => kind)
    expect(kinds.indexOf('contradiction.withdrawn')).toBeGreaterThan(kinds.indexOf('document.removed'))
  })
})
