/** The facts of earlier versions of a revised document are not among those that it is compared with. */
import { expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { openBureau } from '../../support/claims.ts'
import { compareByNumbers, openComparing } from '../../support/comparing-model.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps } from '../../support/documents.ts'
import { stated, statedPaper } from '../../support/facts.ts'
import { useModelServer } from '../../support/model-endpoint.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const server = useModelServer()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')

it('compares a revised document with others beyond the budget, however many facts of its own share more words', async () => {
  const tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  const bureau = openBureau(api(), worker(), tenant)
  const comparing = openComparing(worker(), tenant, bureau, server(), { budget: 100 })
  server().behave(compareByNumbers())
  const before = Array.from({ length: 30 }, (_, nth) => stated(11, 'Borealis', `revenue of site${nth}`))
  await bureau.process([statedPaper('d2', ...before)])
  await comparing.compareAll()
  await bureau.process([statedPaper('d1', stated(10))])
  await comparing.compareAll()
  await bureau.process([statedPaper('d2', ...before, stated(11))])
  await comparing.compareAll()
  const page = { limit: 100, cursor: undefined }
  const { items } = await listContradictions(documentsDeps(api()), tenant.caller, 'default', page)
  expect(items.map(({ a, b }) => `${a.documentId} – ${b.documentId}`)).toEqual(['d1 – d2'])
})
