/** A comparison that policy or budget forbids is held: the scope says so and why, and goes on when it may. */
import { beforeEach, describe, expect, it } from 'vitest'
import { getConvergence } from '../../../src/app/scopes/convergence.ts'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { putPolicy } from '../../../src/app/access/policies.ts'
import { ModelFailure } from '../../../src/domain/model.ts'
import { selectScopeFacts } from '../../../src/store/scopes/convergence.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { openBureau } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { compareByNumbers, openComparing } from '../../support/comparing-model.ts'
import type { Comparing } from '../../support/comparing-model.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf, look } from '../../support/documents.ts'
import { stated, statedPaper } from '../../support/facts.ts'
import { engine } from '../../support/judging.ts'
import { useModelServer } from '../../support/model-endpoint.ts'
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

const convergence = () => getConvergence({ pools: api() }, tenant.caller, 'default')
const holds = async () =>
  (await logOf(database(), tenant))
    .filter(({ kind }) => kind.startsWith('comparison.'))
    .map(({ kind, data }) => `${kind} ${String(data['reason'])}`)
const put = (text: string) =>
  putPolicy({ pools: api(), policyEngine: engine, auditor }, tenant.caller, null, text)
const pairs = async () => {
  const request = { limit: 100, cursor: undefined }
  const { items } = await listContradictions(documentsDeps(api()), tenant.caller, 'default', request)
  return items.map(({ a, b }) => `${a.documentId} – ${b.documentId}`).toSorted()
}
const FORBID_D1 = `@id("not-sent")
forbid (principal, action == Concord::Action::"process_document", resource == Concord::Document::"d1")
when { context.stage == "compare" };`

describe('a comparison that no policy permits', () => {
  beforeEach(async () => {
    await put(FORBID_D1)
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
    await comparing.compareAll()
  })

  it('is held, and the scope shows the reason', async () => {
    expect(await convergence()).toMatchObject({
      state: 'converging',
      comparisonsPending: 0,
      comparisonsHeld: { not_permitted: 1, over_budget: 0 },
      blockers: [{ kind: 'comparison_not_permitted', id: 'default' }],
      blockersTotal: 1,
    })
    expect(await holds()).toEqual(['comparison.held not_permitted'])
    const facts = await inTenant(api().tenant, tenant.tenantId, (transaction) =>
      selectScopeFacts(transaction, 'default'),
    )
    expect(facts).toMatchObject({ pending: 1 })
  })

  it('causes one event, however often it is checked', async () => {
    await look(database(), 'update comparison_steps set due_at = now() where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(await comparing.compareAll()).toEqual(['not_allowed'])
    expect(await holds()).toEqual(['comparison.held not_permitted'])
    expect(await convergence()).toMatchObject({ comparisonsHeld: { not_permitted: 1 } })
  })

  it('continues when a policy permits it, also with documents that arrived meanwhile', async () => {
    await bureau.process([statedPaper('d3', stated(12))])
    await comparing.compareAll()
    expect(await pairs()).toEqual(['d2 – d3'])
    await put('')
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(await pairs()).toEqual(['d1 – d2', 'd1 – d3', 'd2 – d3'])
    expect(await holds()).toEqual(['comparison.held not_permitted', 'comparison.released not_permitted'])
    expect(await convergence()).toMatchObject({
      comparisonsPending: 0,
      comparisonsHeld: { not_permitted: 0, over_budget: 0 },
    })
  })

  it('ends when its document is removed', async () => {
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'd1')
    expect(await convergence()).toMatchObject({
      comparisonsPending: 0,
      comparisonsHeld: { not_permitted: 0, over_budget: 0 },
      blockers: [],
    })
  })
})

describe('a comparison that leaves out a document that no policy permits any more', () => {
  beforeEach(async () => {
    await bureau.process([statedPaper('d0', stated(9)), statedPaper('d1', stated(10))])
    await comparing.compareAll()
    await put(FORBID_D1)
    await bureau.process([statedPaper('d2', stated(11))])
    await comparing.compareAll()
  })

  it('is held with what it found, and causes one event', async () => {
    expect(await pairs()).toEqual(['d0 – d1', 'd0 – d2'])
    expect(await convergence()).toMatchObject({
      comparisonsPending: 0,
      comparisonsHeld: { not_permitted: 1, over_budget: 0 },
      claimsCompared: 3,
    })
    expect(await holds()).toEqual(['comparison.held not_permitted'])
  })

  it('asks the model nothing while the document is forbidden', async () => {
    server().requests.length = 0
    await look(database(), 'update comparison_steps set due_at = now() where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(await comparing.compareAll()).toEqual(['not_allowed'])
    expect(server().requests).toEqual([])
  })

  it('continues when a policy permits the document', async () => {
    await put('')
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(await pairs()).toEqual(['d0 – d1', 'd0 – d2', 'd1 – d2'])
    expect(await holds()).toEqual(['comparison.held not_permitted', 'comparison.released not_permitted'])
    expect(await convergence()).toMatchObject({ comparisonsHeld: { not_permitted: 0, over_budget: 0 } })
  })
})

describe('a comparison without budget', () => {
  it('is held until a budget is available', async () => {
    await bureau.process([statedPaper('d1', stated(10))])
    await comparing.compareAll()
    await bureau.process([statedPaper('d2', stated(11))])
    const broke = openComparing(worker(), tenant, bureau, server(), {
      ask: async () => {
        throw new ModelFailure('over_budget', 600_000)
      },
    })
    expect(await broke.compareAll()).toEqual(['failed'])
    expect(await broke.due()).toEqual([])
    expect(await convergence()).toMatchObject({
      state: 'converging',
      comparisonsPending: 0,
      comparisonsHeld: { not_permitted: 0, over_budget: 1 },
      blockers: [{ kind: 'comparison_over_budget', id: 'default' }],
    })
    await look(database(), 'update comparison_steps set due_at = now() where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(await comparing.compareAll()).toEqual(['compared'])
    expect(await pairs()).toEqual(['d1 – d2'])
    expect(await holds()).toEqual(['comparison.held over_budget', 'comparison.released over_budget'])
  })
})
