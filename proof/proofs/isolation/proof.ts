/** Shows that no tenant sees a byte of another: by route, by credential, by chance, and with either lock off. */
import { withCompileCache } from '../../harness/compile-cache.ts'
import { runCrossing } from './crossing.ts'
import { runLiveStreams } from './live-streams.ts'
import { rowsSeenWithoutTenant, switchOffRowSecurity, WITHOUT_TENANT_FILTERS } from './locks.ts'
import { runMatrix } from './matrix.ts'
import { runRandomRequests } from './random-requests.ts'
import type { RandomFindings } from './random-requests.ts'
import { runSharedKeys } from './shared-keys.ts'
import { withStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { runUnsafeStarts } from './unsafe-starts.ts'
import { withMutatedRepository } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

export const isolation = defineProof({
  name: 'isolation',
  shows:
    'no tenant sees a byte of another, by any route and credential, and with either of the two locks off',
  sabotages: 'row-level security and the tenant filter of every statement and function are off together',
  sizes: { full: {}, short: {} },
  prove: (run) =>
    withCompileCache(async (env) => {
      if (run.sabotage) return proveWithBothLocksOff(run, env)
      await proveRefusals(run, env)
      const proven = proveWithBothLocks(run, env)
      const ends = await Promise.allSettled([proven, proveWithoutFilters(run, env, proven)])
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }),
})

type Env = Readonly<Record<string, string>>

/** The policies go off at the end, under the running processes: none would start without them. */
async function proveWithBothLocks(run: ProofRun, env: Env): Promise<void> {
  const { services } = run
  await withStage({ services, env, name: 'whole' }, async (stage) => {
    proveProcessed(run, stage, '')
    await proveMatrix(run, stage)
    await proveCrossed(run, stage, '')
    await switchOffPolicies(run, stage)
    await proveCrossed(run, stage, 'row-level security off, ')
  })
}

/**
 * A copy with a database of its own, because some of the filters are in functions there. It is set up while the other
 * stage is under attack, and attacked when that is over.
 */
async function proveWithoutFilters(run: ProofRun, env: Env, before: Promise<void>): Promise<void> {
  const { services } = run
  await withMutatedRepository(WITHOUT_TENANT_FILTERS, async (repository, places) => {
    await withStage({ services, env, name: 'open', repository }, async (unfiltered) => {
      await before
      reportPlaces(run, places)
      proveProcessed(run, unfiltered, 'tenant filters off, ')
      await proveCrossed(run, unfiltered, 'tenant filters off, ')
      await switchOffRowSecurity(services, unfiltered.databaseName)
      await proveBothNoticed(run, unfiltered)
    })
  })
}

function reportPlaces({ figures }: ProofRun, places: readonly number[]): void {
  const [statements = 0, functions = 0] = places
  figures.atLeast('tenant filters off, places changed in statements', statements, 20)
  figures.atLeast('tenant filters off, places changed in functions', functions, 20)
}

/** If the fault did not take effect, whatever holds under it means nothing. */
async function switchOffPolicies({ figures }: ProofRun, { services, databaseName }: Stage): Promise<void> {
  const seenBy = async (role: 'concord_api' | 'concord_worker', when: string) =>
    [`row-level security ${when}, rows that ${role} sees outside a tenant`, await rowsSeen(role)] as const
  const rowsSeen = (role: 'concord_api' | 'concord_worker') =>
    rowsSeenWithoutTenant(services, databaseName, role)
  figures.exactly(...(await seenBy('concord_api', 'on')), 0)
  figures.exactly(...(await seenBy('concord_worker', 'on')), 0)
  figures.atLeast('row-level security off, tables', await switchOffRowSecurity(services, databaseName), 11)
  figures.atLeast(...(await seenBy('concord_api', 'off')), 1)
  figures.atLeast(...(await seenBy('concord_worker', 'off')), 1)
}

/** With both off something must show: otherwise the filters were never off, or the search finds nothing. */
async function proveBothNoticed({ figures, seed }: ProofRun, unfiltered: Stage): Promise<void> {
  const { foreignBytes } = await runRandomRequests(unfiltered, { count: 200, seed })
  figures.atLeast('both off, foreign bytes in 200 requests', foreignBytes, 1)
  const live = await runLiveStreams(unfiltered, 1_000)
  figures.atLeast('both off, foreign bytes in event streams', live.foreignBytes, 1)
}

async function proveWithBothLocksOff(run: ProofRun, env: Env): Promise<void> {
  const { services } = run
  await withMutatedRepository(WITHOUT_TENANT_FILTERS, (repository) =>
    withStage({ services, env, name: 'broken', repository }, async (stage) => {
      await switchOffRowSecurity(services, stage.databaseName)
      await proveCrossed(run, stage, '')
    }),
  )
}

async function proveRefusals({ figures, print, services, short, seed }: ProofRun, env: Env): Promise<void> {
  const { starts, refused, accepted } = await runUnsafeStarts(services, env, { every: short ? 3 : 1, seed })
  figures.exactly('unsafe starts refused', refused, starts)
  list(print, accepted)
}

/** Equal ids on both sides, worked on at the same time: each reading must be that of the tenant's own text. */
function proveProcessed({ figures, print }: ProofRun, { processing, twins }: Stage, when: string): void {
  figures.atLeast(`${when}documents of equal id processed`, processing.processed, 20)
  figures.exactly(`${when}of these, not by their own text`, processing.wrong.length, 0)
  const found = Math.min(twins.left.contradictionIds.length, twins.right.contradictionIds.length)
  figures.atLeast(`${when}contradictions that each twin has to be seen`, found, 1)
  list(print, processing.wrong)
}

async function proveMatrix({ figures, print, short, seed }: ProofRun, stage: Stage): Promise<void> {
  const { cells, deviations, foreignBytes } = await runMatrix(stage, { short, seed })
  figures.atLeast('matrix cells', cells, short ? 2_000 : 8_000)
  figures.exactly('deviations', deviations.length, 0)
  figures.exactly('foreign bytes in the matrix', foreignBytes, 0)
  list(print, deviations)
}

/** Ids crossed on purpose, then requests crossed at random; `when` says which lock is off. */
async function proveCrossed(run: ProofRun, stage: Stage, when: string): Promise<void> {
  const { figures, print, short, seed } = run
  const { pairs, unlike } = await runCrossing(stage)
  figures.note(`${when}foreign ids tried`, pairs)
  figures.exactly(`${when}foreign ids that answered unlike unknown ones`, unlike.length, 0)
  list(print, unlike)
  const { keys, confused } = await runSharedKeys(stage)
  figures.note(`${when}idempotency keys that both twins used`, keys)
  figures.exactly(`${when}of these, not a document of its own for each`, confused.length, 0)
  list(print, confused)
  const live = await runLiveStreams(stage)
  figures.note(`${when}event streams followed`, live.streams)
  figures.exactly(`${when}own events that they missed`, live.missing, 0)
  figures.exactly(`${when}foreign bytes in them`, live.foreignBytes, 0)
  const count = short ? 500 : 5000
  reportRandom(run, await runRandomRequests(stage, { count, seed }), count, when)
}

function reportRandom(
  { figures, print }: ProofRun,
  found: RandomFindings,
  count: number,
  when: string,
): void {
  figures.exactly(`${when}crossed requests`, found.requests, count)
  // Otherwise nothing was looked at, and finding nothing foreign would mean nothing.
  figures.atLeast(`${when}answers that showed a tenant its own content`, found.ownAnswers, count / 50)
  figures.atLeast(`${when}of these, event streams`, found.ownStreams, count / 250)
  figures.exactly(`${when}statuses outside the expected`, found.strangeStatuses.length, 0)
  figures.exactly(`${when}foreign bytes`, found.foreignBytes, 0)
  list(print, [...found.strangeStatuses, ...found.leaks])
}

const LISTED = 10

function list(print: (line: string) => void, findings: readonly string[]): void {
  for (const finding of findings.slice(0, LISTED)) print(`  ${finding}`)
  if (findings.length > LISTED) print(`  and ${findings.length - LISTED} more`)
}
