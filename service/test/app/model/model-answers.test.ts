import { beforeEach, describe, expect, it } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { deleteTenant, resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { createModelAnswers } from '../../../src/app/model/model-answers.ts'
import type { ModelAnswers, TokenLimits } from '../../../src/app/model/model-answers.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { BudgetReserved, ModelFailure } from '../../../src/domain/model.ts'
import type { AskModel, ModelRequest } from '../../../src/domain/model.ts'
import { maxTokens } from '../../../src/domain/model-tokens.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, documentsDeps, look, newDocument } from '../../support/documents.ts'
import { modelRequest } from '../../support/model-endpoint.ts'
import { administrator, auditor, makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 8, 'worker')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  await makeScope(api(), tenant, 'other')
})

const usage = { inputTokens: 300, outputTokens: 21 }
const NO_LIMITS: TokenLimits = { perDay: undefined, perMonth: undefined }

/** A process that asks, and the requests that reach the endpoint. */
function open(limits: TokenLimits = NO_LIMITS, answer?: AskModel) {
  const asked: ModelRequest[] = []
  const seals = createScopeSeals({ pool: worker().tenant, masterKeys })
  const answers: ModelAnswers = createModelAnswers({
    pool: worker().tenant,
    seals,
    nameOf: () => 'made-up',
    limits,
    async ask(request, signal) {
      asked.push(request)
      return answer
        ? answer(request, signal)
        : { content: `{"said":"${asked.length}"}`, model: 'served', usage }
    },
  })
  const ask = (request = modelRequest(), scopeId = 'default', documentIds: readonly string[] = []) =>
    answers.ask({ tenantId: tenant.tenantId, scopeId, documentIds }, request)
  return { asked, answers, ask }
}

const spending = () =>
  look<{ used: string; reserved: string }>(
    database(),
    'select used, reserved from model_spending where tenant_id = $1',
    [tenant.tenantId],
  )
const stored = () =>
  look(
    database(),
    `select scope_id, step, model, prompt_version, input_tokens from model_answers where tenant_id = $1`,
    [tenant.tenantId],
  )
const reasonOf = async (asking: Promise<unknown>) => {
  const failure = await asking.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof ModelFailure)) throw new Error('no failure of the model', { cause: failure })
  return failure
}

describe('answers of the language model', () => {
  it('are stored sealed, and given again by another process without asking', async () => {
    const first = open()
    const answer = await first.ask()
    expect(answer).toEqual({ content: '{"said":"1"}', model: 'served', usage })
    const next = open()
    expect(await next.ask()).toEqual(answer)
    expect(next.asked).toEqual([])
    expect(next.answers.counts.reused.extract).toBe(1)
    expect(await stored()).toEqual([
      { scope_id: 'default', step: 'extract', model: 'served', prompt_version: 1, input_tokens: 300 },
    ])
    const [row] = await look<{ sealed: Buffer }>(
      database(),
      'select sealed from model_answers where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(row?.sealed.includes('said')).toBe(false)
  })

  it('belong to one scope and to one request', async () => {
    const { asked, ask } = open()
    await ask()
    await ask(modelRequest('{"text":"b"}'))
    await ask(modelRequest(), 'other')
    await ask()
    expect(asked).toHaveLength(3)
  })

  it('are shared by those who ask the same at the same time', async () => {
    const { asked, ask } = open()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(asked).toHaveLength(1)
    expect(new Set(answers.map(({ content }) => content)).size).toBe(1)
  })

  it('are asked for again where they were no JSON', async () => {
    const { asked, ask } = open(NO_LIMITS, async () => ({ content: 'Well, well.', model: 'served', usage }))
    await ask()
    await ask()
    expect(asked).toHaveLength(2)
    expect(await stored()).toEqual([])
    // Paid for nevertheless.
    expect(await spending()).toEqual([{ used: '642', reserved: '0' }])
  })

  it('go with the scope, its reset, and any document they were made of', async () => {
    const { asked, ask } = open()
    const place = await acceptOne(api().tenant, newDocument(tenant, { documentId: 'a' }))
    expect(place).toBeDefined()
    await ask(modelRequest('{"text":"a"}'), 'default', ['a', 'b'])
    await ask(modelRequest('{"text":"c"}'), 'default', ['c'])
    await ask(modelRequest(), 'other')
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'a')
    expect(await stored()).toHaveLength(2)
    // An answer that came too late for the removal is not stored.
    await ask(modelRequest('{"text":"late"}'), 'default', ['a'])
    expect(await stored()).toHaveLength(2)
    const deps = { pools: api(), masterKeys, auditor, announceEvents: () => undefined }
    await resetScope(deps, tenant.caller, 'default')
    expect(await stored()).toEqual([expect.objectContaining({ scope_id: 'other' })])
    // The seal at hand is of before the reset: what is sealed by it is not stored.
    await ask(modelRequest('{"text":"c"}'), 'default', ['c'])
    expect(await stored()).toHaveLength(1)
    expect(asked).toHaveLength(5)
    await deleteTenant(deps, administrator, tenant.tenantId)
    const left = await look(
      database(),
      `select 1 from model_answers where tenant_id = $1 union all select 1 from model_usage where tenant_id = $1
       union all select 1 from model_spending where tenant_id = $1
       union all select 1 from model_answer_documents where tenant_id = $1`,
      [tenant.tenantId],
    )
    expect(left).toEqual([])
  })

  it('are counted for each tenant by day, step and model', async () => {
    const { ask } = open()
    await ask()
    await ask(modelRequest('{"text":"b"}'))
    await ask(modelRequest('{"text":"b"}', 'verify'))
    const rows = await look(
      database(),
      `select step, model, requests, input_tokens, output_tokens, day = (now() at time zone 'utc')::date as today
         from model_usage where tenant_id = $1 order by step`,
      [tenant.tenantId],
    )
    expect(rows).toEqual([
      {
        step: 'extract',
        model: 'made-up',
        requests: '2',
        input_tokens: '600',
        output_tokens: '42',
        today: true,
      },
      {
        step: 'verify',
        model: 'made-up',
        requests: '1',
        input_tokens: '300',
        output_tokens: '21',
        today: true,
      },
    ])
  })
})

describe('the budget of a tenant', () => {
  it('is exceeded by one request at the most, also by requests at the same time', async () => {
    const price = maxTokens(modelRequest('{"text":"00"}'))
    const { asked, ask, answers } = open({ perDay: 3 * price, perMonth: undefined }, async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { content: '{}', model: 'served', usage: { inputTokens: maxTokens(request), outputTokens: 0 } }
    })
    const ends = await Promise.allSettled(
      Array.from({ length: 30 }, (_, no) => ask(modelRequest(`{"text":"${no + 10}"}`))),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(asked).toHaveLength(3)
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(refused).toHaveLength(27)
    // The budget is spent for some, and for most only reserved by requests in flight, which end soon.
    const reserved = refused.filter((failure) => failure instanceof BudgetReserved)
    for (const failure of reserved) expect(failure).toMatchObject({ reason: 'busy', retryAfterMs: 10_000 })
    expect(answers.counts.overBudget).toBe(27 - reserved.length)
    expect(await spending()).toEqual([{ used: String(3 * price), reserved: '0' }])
  })

  it('says when the period ends in which it is spent', async () => {
    const { ask } = open({ perDay: 300, perMonth: undefined })
    await ask()
    const failure = await reasonOf(ask(modelRequest('{"text":"b"}')))
    expect(failure.reason).toBe('over_budget')
    const midnight = new Date().setUTCHours(24, 0, 0, 0)
    expect(Math.abs(Date.now() + (failure.retryAfterMs ?? 0) - midnight)).toBeLessThan(60_000)
    // Stored answers cost nothing.
    expect(await ask()).toMatchObject({ model: 'served' })
  })

  it('counts the days of the month, and none of the month before', async () => {
    const spend = (day: string) =>
      database().superuser.query(
        `insert into model_spending (tenant_id, day, used) values ($1, ${day}, 1000)
         on conflict (tenant_id, day) do update set used = 1000`,
        [tenant.tenantId],
      )
    const { ask } = open({ perDay: undefined, perMonth: 1_000 })
    await spend(`date_trunc('month', now() at time zone 'utc')::date - 1`)
    await ask()
    await spend(`(now() at time zone 'utc')::date`)
    const { reason, retryAfterMs } = await reasonOf(ask(modelRequest('{"text":"b"}')))
    expect(reason).toBe('over_budget')
    const now = new Date()
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    expect(Math.abs(Date.now() + (retryAfterMs ?? 0) - next)).toBeLessThan(60_000)
  })

  it('gets back what a request did not use that came to nothing', async () => {
    const limits = { perDay: 1_000_000, perMonth: undefined }
    const { ask } = open(limits, () => Promise.reject(new ModelFailure('unreachable')))
    expect((await reasonOf(ask())).reason).toBe('unreachable')
    expect(await spending()).toEqual([{ used: '0', reserved: '0' }])
    const charged = open(limits, () => Promise.reject(new ModelFailure('too_long', null, usage)))
    expect((await reasonOf(charged.ask())).reason).toBe('too_long')
    expect(await spending()).toEqual([{ used: '321', reserved: '0' }])
  })
})
