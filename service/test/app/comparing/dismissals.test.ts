/** A dismissed contradiction names the documents that the person looked at, or it is open again. */
import { beforeEach, describe, expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import type { DocumentsDeps } from '../../../src/app/documents/documents.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import type { LocatedClaim } from '../../../src/domain/claim.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Bureau } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, logOf } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant
let bureau: Bureau
let deps: DocumentsDeps

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  bureau = openBureau(api(), worker(), tenant)
  deps = documentsDeps(api())
})

const paper = (documentId: string, millions: number, ...more: readonly LocatedClaim[]) => ({
  documentId,
  claims: [statement(millions), ...more],
})
const only = async () => {
  const page = { limit: 100, cursor: undefined }
  const { items } = await listContradictions(deps, tenant.caller, 'default', page)
  const [found] = items
  if (!found || items.length > 1) throw new Error(`${items.length} contradictions`)
  return found
}
const told = async () =>
  (await logOf(database(), tenant)).flatMap(({ kind }) => (kind.startsWith('contradiction.') ? [kind] : []))
const remove = (documentId: string) => removeDocument(deps, tenant.caller, 'default', documentId)

describe('a dismissed contradiction', () => {
  const dismissAB = async () => {
    await bureau.process([paper('a', 10), paper('b', 12)])
    const { contradictionId } = await only()
    const settlement = { outcome: 'dismissed', holds: null, by: null, reason: 'Not the same thing.' } as const
    await resolveContradiction(deps, tenant.caller, 'default', contradictionId, settlement)
    return contradictionId
  }
  const named = async () => {
    const { a, b } = await only()
    return [a, b].map(({ source }) => source.replace('Name of ', '')).toSorted()
  }

  it('names the documents that the person reviewed, whichever come and go, and each change is an event', async () => {
    await dismissAB()
    // With equals, the document with the lesser name would be shown.
    await bureau.process([paper('A', 10)])
    await bureau.process([paper('B', 12)])
    await bureau.process([paper('a', 10, statement(3, 'Borealis', 'debt'))])
    expect(await named()).toEqual(['a', 'b'])
    await remove('A')
    expect(await named()).toEqual(['a', 'b'])
    expect((await only()).status).toBe('dismissed')
    expect(await told()).toEqual([
      'contradiction.opened',
      'contradiction.dismissed',
      ...Array.from({ length: 4 }, () => 'contradiction.changed'),
    ])
  })

  it('is open again if those no longer disagree and others do', async () => {
    const id = await dismissAB()
    await bureau.process([paper('c', 12)])
    await remove('b')
    expect(await only()).toMatchObject({
      contradictionId: id,
      status: 'open',
      resolution: { result: 'reopened', decidedBy: 'evidence', documentIds: ['c'] },
    })
    expect(await named()).toEqual(['a', 'c'])
    expect((await told()).slice(-2)).toEqual(['contradiction.changed', 'contradiction.reopened'])
  })

  it('is open again if it was withdrawn and other documents bring it back', async () => {
    await dismissAB()
    await remove('b')
    await bureau.process([paper('c', 12)])
    expect((await only()).status).toBe('open')
    expect((await told()).slice(-2)).toEqual(['contradiction.opened', 'contradiction.reopened'])
  })

  it('stays dismissed if the same documents bring it back', async () => {
    await dismissAB()
    await remove('b')
    await bureau.process([paper('b', 12)])
    expect((await only()).status).toBe('dismissed')
  })
})
