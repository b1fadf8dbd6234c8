/** Lists of contradictions: several statuses or severities at once, and the most severe first. */
import { beforeEach, describe, expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import type { ContradictionsRequest } from '../../../src/app/contradictions/contradictions.ts'
import type { DocumentsDeps } from '../../../src/app/documents/documents.ts'
import { reportContradiction } from '../../../src/app/contradictions/reports.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
let tenant: TestTenant
let deps: DocumentsDeps

const list = async (parts: Partial<ContradictionsRequest> = {}) =>
  listContradictions(deps, tenant.caller, 'default', { limit: 100, cursor: undefined, ...parts })

/** Notes of all pages. */
async function walk(parts: Partial<ContradictionsRequest>): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await list({ ...parts, cursor })
    seen.push(...page.items.map(({ note }) => note ?? ''))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return seen
}

/** Severity, confidence and status of each, in the order in which they are opened; the note says all three. */
const OPENED = [
  ['low', 0.9, 'open'],
  ['critical', 0.5, 'open'],
  ['high', 0.7, 'resolved'],
  ['critical', null, 'open'],
  ['high', 0.7, 'open'],
  ['medium', 0.123_456_789_012_345_6, 'dismissed'],
  ['critical', 0.5, 'dismissed'],
  ['medium', 1e-7, 'open'],
] as const

const noteOf = (at: number): string => `${at} ${OPENED[at]?.join(' ')}`

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  deps = documentsDeps(api())
  for (const [at, [severity, confidence, status]] of OPENED.entries()) {
    const sides = {
      a: { claim: `a ${at}`, source: 'x' },
      b: { claim: `b ${at}`, source: 'y' },
    }
    const { contradiction } = await reportContradiction(deps, tenant.caller, {
      scopeId: 'default',
      ...sides,
      severity,
      note: noteOf(at),
    })
    await look(
      database(),
      'update contradictions set confidence = $2, status = $3 where contradiction_id = $1',
      [contradiction.contradictionId, confidence, status],
    )
  }
})

const HEAVIEST_FIRST = [3, 6, 1, 4, 2, 5, 7, 0].map(noteOf)

describe('a list of contradictions', () => {
  it.each([1, 2, 3, 100])(
    'has the most severe first, then the surest, then the newest; %s a page',
    async (limit) => {
      expect(await walk({ order: 'severity', limit })).toEqual(HEAVIEST_FIRST)
    },
  )

  it('keeps that order under every filter', async () => {
    const open = HEAVIEST_FIRST.filter((note) => note.endsWith('open'))
    expect(await walk({ order: 'severity', limit: 1, statuses: ['open'] })).toEqual(open)
    expect(await walk({ order: 'severity', limit: 2, severities: ['medium', 'high'] })).toEqual(
      HEAVIEST_FIRST.filter((note) => /medium|high/.test(note)),
    )
    expect(await walk({ order: 'severity', kind: 'money' })).toEqual([])
    expect(await walk({ order: 'severity', documentId: 'x' })).toEqual([])
  })

  it('has the newest first unless asked, of several statuses and severities', async () => {
    const newest = OPENED.map((_, at) => noteOf(at)).toReversed()
    expect(await walk({ limit: 3 })).toEqual(newest)
    expect(await walk({ limit: 1, statuses: ['resolved', 'dismissed'] })).toEqual(
      newest.filter((note) => !note.endsWith('open')),
    )
    expect(await walk({ limit: 1, severities: ['critical', 'low'] })).toEqual(
      newest.filter((note) => /critical|low/.test(note)),
    )
  })

  it('refuses the cursor of another order', async () => {
    const [newest, severe] = [await list({ limit: 1 }), await list({ limit: 1, order: 'severity' })]
    expect(await faultOf(list({ cursor: severe.nextCursor ?? '' }))).toBe('validation_failed')
    expect(await faultOf(list({ order: 'severity', cursor: newest.nextCursor ?? '' }))).toBe(
      'validation_failed',
    )
  })
})
