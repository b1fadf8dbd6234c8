/** A dismissed contradiction between facts is shown by the documents that were looked at, as long as both state their side. */
import { beforeEach, describe, expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { openBureau } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { compareByNumbers, openComparing } from '../../support/comparing-model.ts'
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
const worker = usePools(database, 4, 'worker')
let tenant: TestTenant
let bureau: Bureau

const deps = () => documentsDeps(api())
const contradictions = async () =>
  (await listContradictions(deps(), tenant.caller, 'default', { limit: 100, cursor: undefined })).items.map(
    ({ a, b, status }) => `${a.documentId} – ${b.documentId} ${status}`,
  )
const reopened = async () =>
  (await logOf(database(), tenant)).filter(({ kind }) => kind === 'contradiction.reopened').length

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
  server().behave(compareByNumbers())
  await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
  await openComparing(worker(), tenant, bureau, server()).compareAll()
  const { items } = await listContradictions(deps(), tenant.caller, 'default', {
    limit: 100,
    cursor: undefined,
  })
  const dismissal = { outcome: 'dismissed', holds: null, by: null, reason: 'Two companies.' } as const
  await resolveContradiction(deps(), tenant.caller, 'default', items[0]?.contradictionId ?? '', dismissal)
})

describe('a dismissed contradiction between facts', () => {
  it('stays dismissed when a document with a lower id repeats one side', async () => {
    await bureau.process([statedPaper('c1', stated(11))])
    await bureau.process([statedPaper('c2', stated(10))])
    expect(await contradictions()).toEqual(['d1 – d2 dismissed'])
    expect(await reopened()).toBe(0)
  })

  it('stays dismissed when a document that was looked at is revised and states the same', async () => {
    await bureau.process([statedPaper('c1', stated(11))])
    await bureau.process([statedPaper('d2', stated(3, 'Borealis', 'debt'), stated(11))])
    expect(await contradictions()).toEqual(['d1 – d2 dismissed'])
    expect(await reopened()).toBe(0)
  })

  it('is open again when only a document that nobody looked at states a side', async () => {
    await bureau.process([statedPaper('c1', stated(11))])
    await removeDocument(deps(), tenant.caller, 'default', 'd2')
    expect(await contradictions()).toEqual(['c1 – d1 open'])
    expect(await reopened()).toBe(1)
  })
})
