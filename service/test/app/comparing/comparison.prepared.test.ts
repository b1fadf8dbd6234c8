import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CompleteHeavy } from '../../../src/app/processing/attempts.ts'
import { openCompareThread } from '../../../src/main/compare-thread.ts'
import type { CompareThread } from '../../../src/main/compare-thread.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { lockScopeHead } from '../../../src/store/scopes/scope-log.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Paper } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

vi.setConfig({ testTimeout: 120_000 })

const database = useDatabase()
const api = usePools(database)
const worker = usePools(database, 4, 'worker')

let thread: CompareThread | undefined
beforeAll(() => {
  thread = openCompareThread({ url: database().url('worker'), masterKeys }, silentLog)
})
afterAll(async () => thread?.stop())

/** Has so many subjects that its groups are too many for the main thread. */
function heavyPaper(nth: number, subjects = 60): Paper {
  const claims = Array.from({ length: subjects }, (_, index) =>
    statement(1 + ((index + nth) % 5), nameOf(index), `${nameOf(index)}margin`),
  )
  return { documentId: `heavy-${nth}`, claims }
}

/** Words without digits, which are not part of a name. */
function nameOf(index: number): string {
  return `Boreal${index.toString(2).padStart(6, '0').replaceAll('0', 'la').replaceAll('1', 'lo')}s`
}

async function openScopes(scopes: readonly string[], completeHeavy?: CompleteHeavy) {
  const tenant = await makeTenant(api())
  for (const scope of scopes) await makeScope(api(), tenant, scope)
  return { tenant, bureau: openBureau(api(), worker(), tenant, undefined, completeHeavy) }
}

describe('a document with much to compare', () => {
  it('is compared in a thread, with the same result as elsewhere', async () => {
    const sent: number[] = []
    const { bureau } = await openScopes(['default', 'again'], async (results) => {
      sent.push(results.length)
      return thread?.completeHeavy(results) ?? []
    })
    const papers = Array.from({ length: 7 }, (_, nth) => heavyPaper(nth))
    for (const paper of papers) expect(await bureau.process([paper])).toEqual(['settled'])
    expect(sent).toHaveLength(7)
    // Small papers of the same claims are settled without the thread, whatever the order.
    const slices = papers.flatMap(({ documentId, claims }) =>
      [0, 1, 2, 3, 4, 5].map((slice) => ({
        documentId: `${documentId}/${slice}`,
        claims: claims.slice(slice * 10, slice * 10 + 10),
      })),
    )
    for (const slice of slices.toReversed()) await bureau.process([slice], 'again')
    expect(sent).toHaveLength(7)
    const whole = await bureau.findings()
    expect(whole.length).toBeGreaterThan(100)
    expect(await bureau.findings('again')).toHaveLength(whole.length)
  })

  it('is compared while another transaction locks the scope, and waits only to write', async () => {
    const { tenant, bureau } = await openScopes(['default'])
    await bureau.process([heavyPaper(1)])
    const [result] = await bureau.begin([heavyPaper(2)])
    if (!result) throw new Error('nothing was begun')
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = inTenant(api().tenant, tenant.tenantId, async (transaction) => {
      await lockScopeHead(transaction, 'default')
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const settling = bureau.attempts.complete(result)
    await vi.waitUntil(async () => (await waitingForLocks()) > 0, { timeout: 30_000, interval: 20 })
    expect((await bureau.findings()).length).toBe(0)
    held.resolve()
    await holding
    expect(await settling).toBe('settled')
    expect((await bureau.findings()).length).toBeGreaterThan(10)
  })

  it('is compared with documents that arrived meanwhile', async () => {
    const { bureau } = await openScopes(['default', 'again'])
    const papers = [1, 2, 3, 4].map((nth) => heavyPaper(nth))
    const begun = await bureau.begin(papers)
    await Promise.all(begun.map((result) => bureau.attempts.complete(result)))
    for (const paper of papers.toReversed()) await bureau.process([paper], 'again')
    expect(await bureau.findings()).toEqual(await bureau.findings('again'))
  })
})

describe('documents that complete together', () => {
  it('complete although one of them is stale, so that the comparison of both cannot be used', async () => {
    const { bureau } = await openScopes(['default', 'again'])
    const [first, second, third, fourth, fifth] = [1, 2, 3, 4, 5].map((nth) => heavyPaper(nth, 300))
    if (!first || !second || !third || !fourth || !fifth) throw new Error('papers are missing')
    await bureau.process([first, second])
    const begun = await bureau.begin([third, fourth, fifth])
    // A newer version of the last one, so that the older cannot be settled any more.
    await bureau.begin([{ ...fifth, claims: fifth.claims.slice(1) }])
    const outcomes = await Promise.all(
      begun.map(async (result) => [result.documentId, await bureau.attempts.complete(result)] as const),
    )
    expect(outcomes.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ['heavy-3', 'settled'],
      ['heavy-4', 'settled'],
      ['heavy-5', 'stale'],
    ])
    for (const paper of [fourth, third, second, first]) await bureau.process([paper], 'again')
    expect(await bureau.findings()).toEqual(await bureau.findings('again'))
  })
})

async function waitingForLocks(): Promise<number> {
  const { rows } = await api().tenant.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_locks where not granted`,
  )
  return rows[0]?.waiting ?? 0
}
