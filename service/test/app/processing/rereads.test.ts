/** Documents are read again a few at a time; what they still state stays as it was, with what was decided about it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { getDocument } from '../../../src/app/documents/documents.ts'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { advanceReread, getReread, requestReread } from '../../../src/app/processing/rereads.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import { MODEL_READER } from '../../../src/model/reading.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau, Paper } from '../../support/claims.ts'
import { compareByNumbers, openComparing } from '../../support/comparing-model.ts'
import type { Comparing } from '../../support/comparing-model.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { factRows, stated, statedPaper } from '../../support/facts.ts'
import { useModelServer } from '../../support/model-endpoint.ts'
import { auditor, makeScope, makeTenant, masterKeys } from '../../support/people.ts'
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

const deps = () => documentsDeps(api())
const request = (documentIds: readonly string[] | null = null, readBy: string | null = null) =>
  requestReread(deps(), tenant.caller, 'default', { documentIds, readBy })
const reread = () => getReread(deps(), tenant.caller, 'default')
const makeDue = () =>
  look(database(), 'update rereads set due_at = now() where tenant_id = $1', [tenant.tenantId])
/** One step, as soon as a worker looks. */
async function advance() {
  await makeDue()
  const rereadDeps = { pools: worker(), today: MODEL_READER, announceEvents: () => undefined }
  return advanceReread(rereadDeps, { tenantId: tenant.tenantId, scopeId: 'default' })
}
const queued = async () =>
  (
    await look<{ document_id: string }>(
      database(),
      `select document_id from work where tenant_id = $1 order by document_id`,
      [tenant.tenantId],
    )
  ).map((row) => row.document_id)
const byModel = (paper: Paper, version = `served-model/${MODEL_READER.version}`): Paper => ({
  ...paper,
  report: { reader: 'model', readerVersion: version },
})
const kindsAfter = async (seq: number) =>
  (await logOf(database(), tenant)).filter((event) => event.seq > seq).map(({ kind }) => kind)
const headOf = async () => (await logOf(database(), tenant)).at(-1)?.seq ?? 0
const contradictions = async () =>
  (await listContradictions(deps(), tenant.caller, 'default', { limit: 100, cursor: undefined })).items

describe('the documents of a reread', () => {
  beforeEach(async () => {
    await bureau.process([
      { documentId: 'by-rules', claims: [statement(10)] },
      byModel(statedPaper('today', stated(11))),
      byModel(statedPaper('older-prompt', stated(12)), 'served-model/0'),
      byModel(statedPaper('other-model', stated(13)), `other/${MODEL_READER.version}`),
    ])
  })

  it('are by default those that another kind of reader or another prompt has read', async () => {
    await request()
    expect(await advance()).toBe('queued')
    expect(await queued()).toEqual(['by-rules', 'older-prompt'])
  })

  it.each([
    ['rules', ['by-rules']],
    ['rules/1', ['by-rules']],
    ['model', ['older-prompt', 'other-model', 'today']],
    ['model/other', ['other-model']],
    ['model/oth', []],
    ['model/served-model/0', ['older-prompt']],
  ])('are those that %s read', async (readBy, expected) => {
    await request(null, readBy)
    await advance()
    expect(await queued()).toEqual(expected)
  })

  it('are the named ones, once each, whichever reader has read them', async () => {
    await request(['today', 'by-rules', 'today'])
    await advance()
    expect(await queued()).toEqual(['by-rules', 'today'])
    expect(await reread()).toMatchObject({ state: 'running', queued: 2, underWay: ['by-rules', 'today'] })
  })

  it('exclude documents that do not exist', async () => {
    await expect(request(['today', 'unknown'])).rejects.toMatchObject({ code: 'document_not_found' })
    expect(await reread()).toBeUndefined()
  })
})

describe('the progress of a reread', () => {
  const paperOf = (nth: number): Paper => ({
    documentId: `d${String(nth).padStart(3, '0')}`,
    claims: [statement(nth + 1, `Site ${nth}`)],
  })
  const papers = Array.from({ length: 130 }, (_, nth) => paperOf(nth))

  it('moves a window of a hundred documents as they are read, and ends', async () => {
    await bureau.process(papers)
    expect(await request()).toMatchObject({ state: 'running', queued: 0 })
    expect(await advance()).toBe('queued')
    expect(await queued()).toHaveLength(100)
    expect(await advance()).toBe('waiting')
    await bureau.processQueued(papers.slice(0, 100))
    expect(await advance()).toBe('queued')
    expect(await queued()).toEqual(papers.slice(100).map(({ documentId }) => documentId))
    expect(await advance()).toBe('waiting')
    await bureau.processQueued(papers.slice(100))
    expect(await advance()).toBe('ended')
    expect(await reread()).toMatchObject({ state: 'ended', queued: 130, underWay: [] })
    expect(await advance()).toBe('gone')
  })

  it('is advanced by one worker at a time', async () => {
    await bureau.process(papers.slice(0, 3))
    await request()
    const place = { tenantId: tenant.tenantId, scopeId: 'default' }
    const rereadDeps = { pools: worker(), today: MODEL_READER, announceEvents: () => undefined }
    const steps = await Promise.all([1, 2, 3, 4].map(() => advanceReread(rereadDeps, place)))
    expect(steps.toSorted()).toEqual(['gone', 'gone', 'gone', 'queued'])
    expect(await queued()).toHaveLength(3)
  })

  it('does not restart with the same request, and another request has to wait', async () => {
    await bureau.process(papers.slice(0, 2))
    const first = await request(null, 'rules')
    await advance()
    expect(await request(null, 'rules')).toEqual({ ...first, ...(await reread()) })
    await expect(request(['d000'])).rejects.toMatchObject({ code: 'illegal_transition' })
    await bureau.processQueued(papers.slice(0, 2))
    await advance()
    expect(await request(['d000'])).toMatchObject({ state: 'running', queued: 0, readBy: null })
  })

  it('is deleted with the scope', async () => {
    await request()
    const erasing = { pools: api(), masterKeys, auditor, announceEvents: () => undefined }
    await resetScope(erasing, tenant.caller, 'default')
    expect(await reread()).toBeUndefined()
    expect(await advance()).toBe('gone')
  })
})

describe('a document that is read again', () => {
  const readAgain = async (...papers: readonly Paper[]) => {
    await request(papers.map(({ documentId }) => documentId))
    await advance()
    expect(await bureau.processQueued(papers)).toEqual(papers.map(() => 'settled'))
    expect(await advance()).toBe('ended')
  }

  it('changes no facts, contradictions or decisions if it states the same', async () => {
    const [d1, d2] = [statedPaper('d1', stated(10)), statedPaper('d2', stated(11), stated(3))]
    await bureau.process([d1])
    await bureau.process([d2])
    await comparing.compareAll()
    const [found] = await contradictions()
    const settlement = { outcome: 'resolved', holds: 'a', by: null, reason: 'The report is right.' } as const
    await resolveContradiction(deps(), tenant.caller, 'default', found?.contradictionId ?? '', settlement)
    const before = { rows: await factRows(database(), tenant), contradictions: await contradictions() }
    const { document } = await getDocument(deps(), tenant.caller, 'default', 'd2')
    const seq = await headOf()
    await readAgain(d1, d2)
    expect(await comparing.compareAll()).toEqual([])
    expect({ rows: await factRows(database(), tenant), contradictions: await contradictions() }).toEqual(
      before,
    )
    const after = (await getDocument(deps(), tenant.caller, 'default', 'd2')).document
    expect(after).toMatchObject({ status: 'processed', version: 1, claimsCompared: document.claimsCompared })
    expect((await kindsAfter(seq)).filter((kind) => kind.startsWith('contradiction.'))).toEqual([])
  })

  it('withdraws what it no longer states, with a reason, and is compared by what it states now', async () => {
    await bureau.process([statedPaper('d1', stated(10))])
    await bureau.process([statedPaper('d2', stated(11))])
    await comparing.compareAll()
    const [before] = await contradictions()
    await readAgain(statedPaper('d2', stated(12)))
    const events = await logOf(database(), tenant)
    expect(events.filter(({ kind }) => kind === 'contradiction.withdrawn')).toMatchObject([
      { data: { contradiction_id: before?.contradictionId, reason: 'replaced' } },
    ])
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(await contradictions()).toMatchObject([
      { a: { documentId: 'd1' }, b: { documentId: 'd2', claim: { valueText: 'EUR 12m' } } },
    ])
  })

  it('shows a contradiction by what it states now, also where its claims change places', async () => {
    const [revenue, debt] = [stated(11), stated(3, 'Borealis', 'debt')]
    await bureau.process([statedPaper('d1', stated(10))])
    await bureau.process([statedPaper('d2', revenue, debt)])
    await comparing.compareAll()
    const [before] = await contradictions()
    await readAgain(statedPaper('d2', debt, revenue))
    expect(await contradictions()).toMatchObject([
      {
        contradictionId: before?.contradictionId,
        a: { documentId: 'd1', claim: { valueText: 'EUR 10m' } },
        b: { documentId: 'd2', claim: { valueText: 'EUR 11m' } },
      },
    ])
  })

  it('counts its claims that are compared once, where it comes to state what another document states', async () => {
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(3, 'Borealis', 'debt'))])
    await readAgain(statedPaper('d2', stated(10)))
    const { document } = await getDocument(deps(), tenant.caller, 'default', 'd2')
    expect(document).toMatchObject({ claimsCompared: 1 })
    const [counts] = await look(
      database(),
      `select claims::int, compared::int from claim_counts where tenant_id = $1 and scope_id = 'default'`,
      [tenant.tenantId],
    )
    expect(counts).toEqual({ claims: 2, compared: 2 })
  })

  it('changes from rules to the model', async () => {
    await bureau.process([
      { documentId: 'd1', claims: [statement(10)] },
      { documentId: 'd2', claims: [statement(11)] },
    ])
    expect(await contradictions()).toHaveLength(1)
    await request()
    await advance()
    await bureau.processQueued([
      byModel(statedPaper('d1', stated(10))),
      byModel(statedPaper('d2', stated(11))),
    ])
    expect(await contradictions()).toEqual([])
    await comparing.compareAll()
    expect(await contradictions()).toMatchObject([{ rule: 'model:served-model/1' }])
    await advance()
    await request()
    expect(await advance()).toBe('ended')
  })

  it('keeps its claims until it is read, and one event is sent for a new version', async () => {
    await bureau.process([statedPaper('d1', stated(10))])
    const seq = await headOf()
    await request(['d1'])
    await advance()
    expect(await bureau.claims()).toHaveLength(1)
    await bureau.process([statedPaper('d1', stated(11))])
    expect((await kindsAfter(seq)).filter((kind) => kind === 'document.superseded')).toHaveLength(1)
    expect(await bureau.claims()).toEqual([expect.stringContaining('EUR 11m')])
  })
})
