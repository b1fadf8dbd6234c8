/** Shows that no tenant sees a byte of another: by route, by credential, by chance, and with either lock off. */
import { withCompileCache } from '../../harness/compile-cache.ts'
import { withMutatedRepository } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { proveCrossing } from './crossing.ts'
import { followBoth, proveLiveStreams } from './live-streams.ts'
import { rowsSeenWithoutTenant, switchOffRowSecurity, WITHOUT_TENANT_FILTERS } from './locks.ts'
import { proveMatrix } from './matrix.ts'
import { proveRandomRequests, sendRandomRequests } from './random-requests.ts'
import { proveSharedKeys } from './shared-keys.ts'
import { withStage } from './stage.ts'
import type { IsolationStage } from './stage.ts'
import { proveRefusals } from './unsafe-starts.ts'

type Run = ProofRun<{ readonly randomRequests: number }>

type Env = Readonly<Record<string, string>>

export const isolation = defineProof({
  name: 'isolation',
  shows:
    'no tenant sees a byte of another, by any route and credential, and with either of the two locks off',
  sabotages: 'row-level security and the tenant filter of every statement and function are off together',
  mutations: WITHOUT_TENANT_FILTERS,
  sizes: { full: { randomRequests: 5_000 }, short: { randomRequests: 500 } },
  prove: (run) =>
    withCompileCache(async (env) => {
      if (run.sabotage) return proveWithBothLocksOff(run, env)
      await proveRefusals(run, env)
      const proven = proveWithBothLocks(run, env)
      const ends = await Promise.allSettled([proven, proveWithoutFilters(run, env, proven)])
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }),
})

/** The policies go off at the end, under the running processes: none would start without them. */
async function proveWithBothLocks(run: Run, env: Env): Promise<void> {
  await withStage({ services: run.services, env, name: 'whole' }, async (stage) => {
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
async function proveWithoutFilters(run: Run, env: Env, before: Promise<void>): Promise<void> {
  const { services, figures } = run
  await withMutatedRepository(WITHOUT_TENANT_FILTERS, (repository, [statements = 0, functions = 0]) =>
    withStage({ services, env, name: 'open', repository }, async (unfiltered) => {
      await before
      figures.atLeast('tenant filters off, places changed in statements', statements, 20)
      figures.atLeast('tenant filters off, places changed in functions', functions, 20)
      proveProcessed(run, unfiltered, 'tenant filters off, ')
      await proveCrossed(run, unfiltered, 'tenant filters off, ')
      await switchOffRowSecurity(services, unfiltered.databaseName)
      await proveBothNoticed(run, unfiltered)
    }),
  )
}

/** If the fault did not take effect, whatever holds under it means nothing. */
async function switchOffPolicies(
  { figures }: Run,
  { services, databaseName }: IsolationStage,
): Promise<void> {
  const seenBy = async (role: 'concord_api' | 'concord_worker', when: string) => {
    const seen = await rowsSeenWithoutTenant(services, databaseName, role)
    return [`row-level security ${when}, rows that ${role} sees outside a tenant`, seen] as const
  }
  figures.exactly(...(await seenBy('concord_api', 'on')), 0)
  figures.exactly(...(await seenBy('concord_worker', 'on')), 0)
  figures.atLeast('row-level security off, tables', await switchOffRowSecurity(services, databaseName), 11)
  figures.atLeast(...(await seenBy('concord_api', 'off')), 1)
  figures.atLeast(...(await seenBy('concord_worker', 'off')), 1)
}

/** With both off something must show: otherwise the filters were never off, or the search finds nothing. */
async function proveBothNoticed({ figures, seed }: Run, unfiltered: IsolationStage): Promise<void> {
  const { foreignBytes } = await sendRandomRequests(unfiltered, { count: 200, seed })
  figures.atLeast('both off, foreign bytes in 200 requests', foreignBytes, 1)
  const live = await followBoth(unfiltered, 1_000)
  figures.atLeast('both off, foreign bytes in event streams', live.foreignBytes, 1)
}

async function proveWithBothLocksOff(run: Run, env: Env): Promise<void> {
  const { services, repository } = run
  await withStage({ services, env, name: 'broken', repository }, async (stage) => {
    await switchOffRowSecurity(services, stage.databaseName)
    await proveCrossed(run, stage, '')
  })
}

/** Equal ids on both sides, worked on at the same time: each reading must be that of the tenant's own text. */
function proveProcessed({ figures }: Run, { processing, twins }: IsolationStage, when: string): void {
  figures.atLeast(`${when}documents of equal id processed`, processing.processed, 20)
  figures.none(`${when}of these, not by their own text`, processing.wrong)
  const found = Math.min(twins.left.contradictionIds.length, twins.right.contradictionIds.length)
  figures.atLeast(`${when}contradictions that each twin has to be seen`, found, 1)
}

/** Ids crossed on purpose, then requests crossed at random; `when` says which lock is off. */
async function proveCrossed(run: Run, stage: IsolationStage, when: string): Promise<void> {
  await proveCrossing(run, stage, when)
  await proveSharedKeys(run, stage, when)
  await proveLiveStreams(run, stage, when)
  await proveRandomRequests(run, stage, run.size.randomRequests, when)
}
