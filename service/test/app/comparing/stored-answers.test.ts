/** Steps that are compared with stored answers and a budget: what is asked again, and what waits without being held. */
import { beforeEach, expect, it } from 'vitest'
import {
  askModelAboutStep,
  completeStep,
  deferStep,
  leaseStep,
} from '../../../src/app/comparing/comparison-steps.ts'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { createModelAnswers } from '../../../src/app/model/model-answers.ts'
import type { TokenLimits } from '../../../src/app/model/model-answers.ts'
import type { AskModel } from '../../../src/domain/model.ts'
import { maxTokens } from '../../../src/domain/model-tokens.ts'
import { openBureau } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { compareByNumbers, openComparing, questionIn } from '../../support/comparing-model.ts'
import type { Comparing } from '../../support/comparing-model.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { stated, statedPaper } from '../../support/facts.ts'
import { completion, sendJson, useModelServer } from '../../support/model-endpoint.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const server = useModelServer()
const api = usePools(database, 2)
const worker = usePools(database, 6, 'worker')
let tenant: TestTenant
let bureau: Bureau
let plain: Comparing

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
  plain = openComparing(worker(), tenant, bureau, server())
  server().behave(compareByNumbers())
})

const askEndpoint: AskModel = (request, signal) =>
  plain.deps.ask({ tenantId: tenant.tenantId, scopeId: 'default', documentIds: [] }, request, signal)

function openStored(limits: TokenLimits, ask: AskModel = askEndpoint): Comparing {
  const { nameOf } = plain.deps
  const answers = createModelAnswers({ pool: worker().tenant, seals: bureau.seals, nameOf, limits, ask })
  return openComparing(worker(), tenant, bureau, server(), { ask: answers.ask })
}

const pairs = async () => {
  const page = { limit: 100, cursor: undefined }
  const { items } = await listContradictions(documentsDeps(api()), tenant.caller, 'default', page)
  return items.map(({ a, b }) => `${a.documentId} – ${b.documentId}`).toSorted()
}

it('asks once more after a malformed verdict, and is given another answer than the stored one', async () => {
  const honest = compareByNumbers()
  let verdicts = 0
  server().behave((request, response) => {
    const isVerdict = questionIn(request.body).a !== undefined
    if (isVerdict) verdicts += 1
    if (isVerdict && verdicts === 1) sendJson(response, 200, completion('{"verdict": "perhaps"}'))
    else honest(request, response)
  })
  await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
  const stored = openStored({ perDay: undefined, perMonth: undefined })
  expect(await stored.compareAll()).toEqual(['compared', 'compared'])
  expect(verdicts).toBe(2)
  expect(await pairs()).toEqual(['d1 – d2'])
})

it('waits, and is not held, while the budget is only reserved for another step', async () => {
  await bureau.process([statedPaper('d0', stated(9), stated(3, 'Borealis', 'debt'))])
  await plain.compareAll()
  await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(4, 'Borealis', 'debt'))])
  const places = await plain.due()
  const taken = await Promise.all(places.map((place) => leaseStep(plain.deps, place)))
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const slow: AskModel = async (request, signal) => {
    await gate
    return askEndpoint(request, signal)
  }
  const [first, second] = taken
  if (typeof first !== 'object' || typeof second !== 'object') throw new Error('two steps are due')
  const prices: number[] = []
  const ask: Comparing['deps']['ask'] = (place, request, signal) => {
    prices.push(maxTokens(request))
    return plain.deps.ask(place, request, signal)
  }
  await askModelAboutStep({ ...plain.deps, ask }, first)
  // One request at a time, until it says how little it used.
  const limited = openStored({ perDay: Math.ceil((prices[0] ?? 0) / 2), perMonth: undefined }, slow)
  const asked = [first, second].map(async (step) => {
    try {
      return await completeStep(limited.deps, step, await askModelAboutStep(limited.deps, step))
    } catch (error) {
      await deferStep(limited.deps, step, error)
      open()
      return error
    }
  })
  const ends = await Promise.all(asked)
  expect(ends).toEqual(expect.arrayContaining(['compared', expect.objectContaining({ reason: 'busy' })]))
  expect((await logOf(database(), tenant)).filter(({ kind }) => kind === 'comparison.held')).toEqual([])
  await look(database(), 'update comparison_steps set due_at = now() where tenant_id = $1', [tenant.tenantId])
  expect(await plain.compareAll()).toEqual(['compared'])
  expect(await pairs()).toEqual(['d0 – d1', 'd0 – d2'])
})
