/** One more document that states a side of a pair on which a person decided is counted with it, and reopens nothing. */
import { beforeEach, describe, expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import { openBureau } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { compareByNumbers, openComparing } from '../../support/comparing-model.ts'
import type { Comparing } from '../../support/comparing-model.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf } from '../../support/documents.ts'
import { stated, statedPaper } from '../../support/facts.ts'
import { useModelServer } from '../../support/model-endpoint.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const server = useModelServer()
const api = usePools(database, 2)
const worker = usePools(database, 6, 'worker')
let tenant: TestTenant
let bureau: Bureau
let comparing: Comparing

const list = async () => {
  const request = { limit: 100, cursor: undefined }
  return (await listContradictions(documentsDeps(api()), tenant.caller, 'default', request)).items
}
const summary = async () =>
  (await list())
    .map(
      ({ a, b, status, further }) => `${a.documentId} – ${b.documentId}: ${status}, ${further ?? 0} further`,
    )
    .toSorted()
const told = async () =>
  (await logOf(database(), tenant))
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('contradiction.'))

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
  comparing = openComparing(worker(), tenant, bureau, server())
  server().behave(compareByNumbers())
  await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
  await comparing.compareAll()
})

async function decide(outcome: 'resolved' | 'dismissed'): Promise<void> {
  const [found] = await list()
  const id = found?.contradictionId ?? ''
  const why = { by: null, reason: 'The report is right.' }
  const decision = { outcome, holds: outcome === 'resolved' ? ('a' as const) : null, ...why }
  await resolveContradiction(documentsDeps(api()), tenant.caller, 'default', id, decision)
}

describe.each(['resolved', 'dismissed'] as const)('a pair that a person has %s', (outcome) => {
  it.each([
    ['the first side', 10],
    ['the second side', 11],
  ])('counts one more document that states %s, and stays as it is', async (_, millions) => {
    await decide(outcome)
    const before = await told()
    await bureau.process([statedPaper('d3', stated(millions))])
    expect(await comparing.compareAll()).toEqual([])
    expect(await summary()).toEqual([`d1 – d2: ${outcome}, 1 further`])
    expect(await told()).toEqual(before)
  })

  it('counts it no more when it is removed', async () => {
    await decide(outcome)
    await bureau.process([statedPaper('d3', stated(11))])
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'd3')
    expect(await summary()).toEqual([`d1 – d2: ${outcome}, 0 further`])
  })

  it('stands beside what a document with another value contradicts, which is open', async () => {
    await decide(outcome)
    await bureau.process([statedPaper('d3', stated(12))])
    await comparing.compareAll()
    expect(await summary()).toEqual([
      `d1 – d2: ${outcome}, 0 further`,
      'd1 – d3: open, 0 further',
      'd2 – d3: open, 0 further',
    ])
    expect((await told()).filter((kind) => kind === 'contradiction.reopened')).toEqual([])
  })

  it('stays as it is in whichever order agreeing documents come', async () => {
    await decide(outcome)
    for (const [nth, millions] of [11, 10, 11, 11, 10].entries()) {
      await bureau.process([statedPaper(`e${nth}`, stated(millions))])
      await comparing.compareAll()
      expect(await summary()).toEqual([`d1 – d2: ${outcome}, ${nth + 1} further`])
    }
  })
})
