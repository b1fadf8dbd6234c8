/** The verdict of a judge is a fact about two claims: what it opens comes and goes like any other finding. */
import { beforeEach, describe, expect, it } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { deleteTenant, resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import {
  completeQuestion,
  findDue,
  forbidJudge,
  getJudgeStanding,
  leaseQuestion,
} from '../../../src/app/contradictions/judge-requests.ts'
import { putPolicy } from '../../../src/app/access/policies.ts'
import { moveRuntime } from '../../../src/app/processing/runtime.ts'
import type { RuntimeOp, RuntimeTarget } from '../../../src/domain/runtime.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { answered, BRIDGE, engine, HEATING, openCourt, PRICE, readPaper } from '../../support/judging.ts'
import type { Court } from '../../support/judging.ts'
import { administrator, auditor, masterKeys } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 6, 'worker')
let court: Court

beforeEach(async () => {
  court = await openCourt(api(), worker())
})

const first = readPaper('a', BRIDGE[0])
const second = readPaper('b', BRIDGE[1])
const found = 'a–b conflict judge:made-up 0.6'

const standing = () => getJudgeStanding({ pools: api() }, court.tenant.caller)
const remove = (documentId: string) =>
  removeDocument(documentsDeps(api()), court.tenant.caller, 'default', documentId)
const dueOfTenant = async () =>
  (await findDue(court.deps, 1_000)).filter(({ tenantId }) => tenantId === court.tenant.tenantId)
const rowsOfTenant = async () => {
  const tables = ['judge_permits', 'judge_verdicts', 'judge_requests', 'judge_spending']
  const each = tables.map((table) => `select '${table}' as name from ${table} where tenant_id = $1`)
  const rows = await look<{ name: string }>(database(), each.join(' union all '), [court.tenant.tenantId])
  return rows.map(({ name }) => name)
}
async function takeOne() {
  const [place] = await dueOfTenant()
  const taken = place && (await leaseQuestion(court.deps, place))
  if (!taken || typeof taken === 'string') throw new Error('there is nothing to take')
  return taken
}

describe('a pair that rules leave open', () => {
  it('is recorded with its document, and not sent until a worker leases it', async () => {
    expect(await court.bureau.process([first])).toEqual(['settled'])
    expect(await court.bureau.process([second])).toEqual(['settled'])
    expect(await court.told()).toEqual([])
    expect(await standing()).toMatchObject({ waiting: 1, verdicts: 0, tokensToday: 0 })
  })

  it('is not recorded if the tenant does not permit it', async () => {
    const strict = await openCourt(api(), worker(), { permitted: false })
    await strict.bureau.process([first, second])
    expect(await getJudgeStanding({ pools: api() }, strict.tenant.caller)).toEqual({
      permittedAt: null,
      permittedBy: null,
      waiting: 0,
      verdicts: 0,
      tokensToday: 0,
    })
  })

  it('excludes pairs that rules decide', async () => {
    await court.bureau.process([
      readPaper('a', 'The revenue of Borealis Ltd for 2024 was EUR 12.4m.'),
      readPaper('b', 'The revenue of Borealis Ltd for 2024 was EUR 14.9m.'),
    ])
    expect(await court.told()).toEqual([expect.stringContaining('a–b conflict value')])
    expect(await standing()).toMatchObject({ waiting: 0 })
  })

  it('is one of at most eight for a document, however many claims it has', async () => {
    const piers = Array.from({ length: 12 }, (_, at) => `pier${String.fromCodePoint(97 + at)}`)
    const [one, other] = ['severe corrosion', 'no corrosion worth mentioning'].map((state) =>
      piers.map((pier) => `The ${pier} inspection found ${state} on the ${pier} deck.`),
    )
    await court.bureau.process([readPaper('a', ...(one ?? []))])
    await court.bureau.process([readPaper('b', ...(other ?? []))])
    expect((await standing()).waiting).toBe(8)
  })
})

describe('a verdict', () => {
  beforeEach(async () => {
    await court.bureau.process([first, second])
  })

  it('opens a contradiction with its author and event in the same commit', async () => {
    const [question, ...others] = await court.answerAll(answered('conflict'))
    expect(others).toEqual([])
    expect(new Set([question?.a.text, question?.b.text])).toEqual(new Set([BRIDGE[0], BRIDGE[1]]))
    expect(await court.told()).toEqual([found])
    expect(court.announced).toEqual(['default'])
    const told = (await logOf(database(), court.tenant)).slice(-2)
    expect(told).toMatchObject([
      { kind: 'contradiction.opened', data: { relation: 'conflict', document_ids: ['a', 'b'] } },
      { kind: 'convergence.changed' },
    ])
    expect(await standing()).toMatchObject({ waiting: 0, verdicts: 1, tokensToday: 500 })
  })

  it.each(['restatement', 'change'] as const)('of %s is told as such', async (verdict) => {
    await court.answerAll(answered(verdict))
    expect(await court.told()).toEqual([`a–b ${verdict} judge:made-up 0.6`])
  })

  it.each(['compatible', 'unsure'] as const)(
    'of %s opens nothing and is not asked again',
    async (verdict) => {
      const before = await logOf(database(), court.tenant)
      await court.answerAll(answered(verdict))
      expect(await court.told()).toEqual([])
      expect(await logOf(database(), court.tenant)).toEqual(before)
      await court.bureau.process([readPaper('b', BRIDGE[1])])
      expect(await standing()).toMatchObject({ waiting: 0, verdicts: 1 })
    },
  )

  it('is withdrawn with a removed side, and found again without a request when it comes back', async () => {
    await court.answerAll(answered('conflict'))
    const [row] = await court.bureau.rows()
    await court.bureau.process([readPaper('b', 'Nothing of note.')])
    expect(await court.told()).toEqual([])
    expect((await logOf(database(), court.tenant)).slice(-2)).toMatchObject([
      { kind: 'contradiction.withdrawn', data: { contradiction_id: row?.contradictionId } },
      { kind: 'convergence.changed' },
    ])
    await court.bureau.process([second])
    expect(await court.told()).toEqual([found])
    await remove('a')
    expect(await court.told()).toEqual([])
    expect(await standing()).toMatchObject({ waiting: 0, verdicts: 1, tokensToday: 500 })
  })

  it('stays while others join its group and leave it', async () => {
    await court.answerAll(answered('conflict'))
    const [before] = await court.bureau.rows()
    await court.bureau.process([readPaper('c', BRIDGE[2])])
    expect(await court.told()).toEqual([found])
    await remove('c')
    expect(await court.told()).toEqual([found])
    expect(await court.bureau.rows()).toEqual([before])
  })

  it('opens nothing if its claims were removed meanwhile', async () => {
    const taken = await takeOne()
    await remove('a')
    await completeQuestion(court.deps, taken, answered('conflict')(taken.question))
    expect(await court.told()).toEqual([])
  })

  it('has no effect if it is from before a reset, and nothing of it is left', async () => {
    const taken = await takeOne()
    await resetScope(
      { pools: api(), masterKeys, auditor, announceEvents: () => undefined },
      court.tenant.caller,
      'default',
    )
    await completeQuestion(court.deps, taken, answered('conflict')(taken.question))
    expect(await court.told()).toEqual([])
    expect(await rowsOfTenant()).toEqual(['judge_permits', 'judge_spending'])
  })

  it('is deleted with its tenant, and so are its counts', async () => {
    await court.answerAll(answered('conflict'))
    expect((await rowsOfTenant()).length).toBeGreaterThan(2)
    await deleteTenant(
      { pools: api(), masterKeys, auditor, announceEvents: () => undefined },
      administrator,
      court.tenant.tenantId,
    )
    expect(await rowsOfTenant()).toEqual([])
  })

  it('is stored only in its own scope', async () => {
    await court.answerAll(answered('conflict'))
    const stranger = await openCourt(api(), worker())
    await stranger.bureau.process([first, second])
    expect(await stranger.told()).toEqual([])
    expect((await stranger.answerAll(answered('compatible'))).length).toBe(1)
  })
})

describe('the same papers', () => {
  it('give the same findings in whatever order they and their verdicts arrive', async () => {
    const papers = [
      first,
      second,
      readPaper('c', BRIDGE[2], HEATING[0]),
      readPaper('d', HEATING[1]),
      readPaper('e', BRIDGE[1], HEATING[0]),
    ]
    const decide = (question: Parameters<ReturnType<typeof answered>>[0]) =>
      answered(
        question.a.text.includes('severe') || question.b.text.includes('1998') ? 'conflict' : 'change',
      )(question)
    const results: string[][] = []
    for (const order of [papers, papers.toReversed()]) {
      const own = await openCourt(api(), worker())
      for (const paper of order) {
        await own.bureau.process([paper])
        if (order === papers) await own.answerAll(decide)
      }
      await own.answerAll(decide)
      results.push(await own.told())
    }
    expect(results[0]?.length).toBeGreaterThan(3)
    expect(results[1]).toEqual(results[0])
  })
})

describe('a judge that gives no answer', () => {
  beforeEach(async () => {
    await court.bureau.process([first, second])
  })

  it('is asked once more after an invalid answer, and then the pair counts as unsure', async () => {
    const refused = () => ({ kind: 'refused', why: 'misquoted', tokens: 400 }) as const
    expect((await court.answerAll(refused)).length).toBe(1)
    expect(await standing()).toMatchObject({ waiting: 1, verdicts: 0, tokensToday: 400 })
    expect((await court.answerAll(refused)).length).toBe(1)
    expect(await standing()).toMatchObject({ waiting: 0, verdicts: 1, tokensToday: 800 })
    expect(await court.told()).toEqual([])
  })

  it('is asked again later, without losing anything', async () => {
    const failed = () => ({ kind: 'failed', why: 'timeout', tokens: 0, retryAfterMs: null }) as const
    expect((await court.answerAll(failed)).length).toBe(1)
    expect(await standing()).toMatchObject({ waiting: 1, tokensToday: 0 })
    expect(await dueOfTenant()).toEqual([])
    await look(database(), `update judge_requests set due_at = now() where tenant_id = $1`, [
      court.tenant.tenantId,
    ])
    await court.answerAll(answered('conflict'))
    expect(await court.told()).toEqual([found])
  })
})

describe('a request', () => {
  beforeEach(async () => {
    await court.bureau.process([first, second])
  })

  it('is leased by one of several workers at once', async () => {
    const [place] = await dueOfTenant()
    if (!place) throw new Error('nothing is due')
    const answers = await Promise.all(Array.from({ length: 5 }, () => leaseQuestion(court.deps, place)))
    expect(answers.filter((each) => each === 'gone').length).toBe(4)
  })

  it('is dropped if one of its claims no longer exists', async () => {
    await court.bureau.process([readPaper('b', 'Nothing of note.')])
    expect(await court.answerAll(answered('conflict'))).toEqual([])
    expect(await standing()).toMatchObject({ waiting: 0, tokensToday: 0 })
  })

  it('is never sent once the tenant forbids it', async () => {
    const [place] = await dueOfTenant()
    await forbidJudge({ pools: api(), auditor }, court.tenant.caller)
    expect(place && (await leaseQuestion(court.deps, place))).toBe('gone')
    expect(await rowsOfTenant()).toEqual([])
  })

  it.each(['service', 'tenant', 'scope'] as const)(
    'waits while the switch of the %s is not on',
    async (level) => {
      const { tenantId } = court.tenant
      const target = { level, tenantId, scopeId: 'default' } as RuntimeTarget
      const [place] = await dueOfTenant()
      const move = (op: RuntimeOp) =>
        moveRuntime({ pools: api(), auditor, announceRuntime: () => undefined }, target, op, administrator)
      await move('pause')
      expect(await dueOfTenant()).toEqual([])
      expect(place && (await leaseQuestion(court.deps, place))).toBe('gone')
      await move('resume')
      expect((await court.answerAll(answered('conflict'))).length).toBe(1)
    },
  )
})

describe('an external judge', () => {
  const permit = `@id("our-model")
permit (principal, action == Concord::Action::"process_document", resource)
when { context.external && context.model == "made-up" && context.stage == "compare" };`
  const keep = `@id("b-stays")
forbid (principal, action == Concord::Action::"process_document", resource == Concord::Document::"b")
when { context.external };`
  const write = (own: Court, text: string) =>
    putPolicy({ pools: api(), policyEngine: engine, auditor }, own.tenant.caller, null, text)
  const retry = (own: Court) =>
    look(database(), `update judge_requests set due_at = now() where tenant_id = $1`, [own.tenant.tenantId])

  it('is asked only if a policy of the tenant permits it for both documents', async () => {
    const own = await openCourt(api(), worker(), { external: true })
    await own.bureau.process([first, second])
    expect(await own.answerAll(answered('conflict'))).toEqual([])
    await write(own, `${permit}\n${keep}`)
    await retry(own)
    expect(await own.answerAll(answered('conflict'))).toEqual([])
    expect(await own.told()).toEqual([])
    expect(await getJudgeStanding({ pools: api() }, own.tenant.caller)).toMatchObject({
      waiting: 1,
      tokensToday: 0,
    })
    await write(own, permit)
    await retry(own)
    expect((await own.answerAll(answered('conflict'))).length).toBe(1)
    expect(await own.told()).toEqual([found])
  })
})

describe('the budget of a tenant', () => {
  it('is reserved before a request is sent, and pairs beyond it stay open', async () => {
    const poor = await openCourt(api(), worker(), { budget: PRICE + 700 })
    await poor.bureau.process([first, second, readPaper('c', HEATING[0]), readPaper('d', HEATING[1])])
    expect((await poor.answerAll(answered('conflict', 800))).length).toBe(1)
    const left = await getJudgeStanding({ pools: api() }, poor.tenant.caller)
    expect(left).toMatchObject({ waiting: 1, verdicts: 1, tokensToday: 800 })
    expect((await poor.told()).length).toBe(1)
  })

  it('is not exceeded by many requests at once', async () => {
    const budget = 3 * PRICE
    const poor = await openCourt(api(), worker(), { budget })
    const papers = Array.from({ length: 6 }, (_, at) =>
      readPaper(`p${at}`, BRIDGE[at % 3] ?? '', HEATING[at % 2] ?? ''),
    )
    await poor.bureau.process(papers)
    const due = (await findDue(poor.deps, 100)).filter(({ tenantId }) => tenantId === poor.tenant.tenantId)
    expect(due.length).toBeGreaterThan(3)
    const answers = await Promise.all(due.map((place) => leaseQuestion(poor.deps, place)))
    expect(answers.filter((each) => typeof each !== 'string').length).toBe(3)
    expect(answers.filter((each) => each === 'over_budget').length).toBe(due.length - 3)
    expect((await getJudgeStanding({ pools: api() }, poor.tenant.caller)).tokensToday).toBe(budget)
  })
})
