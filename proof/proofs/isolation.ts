/** Shows that no tenant sees a byte of another: by route, by credential, by chance, and with either lock off. */
import { withCompileCache } from '../src/isolation/compile-cache.ts'
import { runCrossing } from '../src/isolation/crossing.ts'
import {
  rowsSeenWithoutTenant,
  switchOffRowSecurity,
  WITHOUT_TENANT_FILTERS,
} from '../src/isolation/locks.ts'
import { runMatrix } from '../src/isolation/matrix.ts'
import { runRandomRequests } from '../src/isolation/random-requests.ts'
import type { RandomFindings } from '../src/isolation/random-requests.ts'
import { withCopyOnStage, withStage } from '../src/isolation/stage.ts'
import type { Stage } from '../src/isolation/stage.ts'
import { runUnsafeStarts } from '../src/isolation/unsafe-starts.ts'
import { withMutatedRepository } from '../src/mutation.ts'
import type { Proof, ProofRun } from '../src/proof.ts'

export const isolation: Proof = {
  name: 'isolation',
  shows:
    'no tenant sees a byte of another, by any route and credential, and with either of the two locks off',
  sabotages: 'row-level security and the tenant filter of every statement are off at the same time',
  run: (run) =>
    withCompileCache(async (env) => {
      if (run.sabotage) return proveWithBothLocksOff(run, env)
      await proveRefusals(run, env)
      await proveWithEitherLock(run, env)
    }),
}

type Env = Readonly<Record<string, string>>

/** The policies go off at the end, under the running processes: none would start without them. */
async function proveWithEitherLock(run: ProofRun, env: Env): Promise<void> {
  const { services } = run
  await withStage({ services, env }, async (stage) => {
    await proveMatrix(run, stage)
    await proveCrossed(run, stage, '')
    await withMutatedRepository([WITHOUT_TENANT_FILTERS], async (repository, [mutation]) => {
      run.figures.atLeast('tenant filters off, places changed', mutation?.places ?? 0, 8)
      await withCopyOnStage(stage, repository, async (unfiltered) => {
        await proveCrossed(run, unfiltered, 'tenant filters off, ')
        await switchOffPolicies(run, stage)
        await proveBothNoticed(run, unfiltered)
      })
    })
    await proveCrossed(run, stage, 'row-level security off, ')
  })
}

/** If the fault did not take effect, whatever holds under it means nothing. */
async function switchOffPolicies({ figures }: ProofRun, { services, databaseName }: Stage): Promise<void> {
  const seen = () => rowsSeenWithoutTenant(services, databaseName)
  figures.exactly('row-level security on, rows that the API sees outside a tenant', await seen(), 0)
  figures.atLeast('row-level security off, tables', await switchOffRowSecurity(services, databaseName), 4)
  figures.atLeast('row-level security off, rows that the API sees outside a tenant', await seen(), 1)
}

/** With both off something must show: otherwise the filters were never off, or the search finds nothing. */
async function proveBothNoticed({ figures, seed }: ProofRun, unfiltered: Stage): Promise<void> {
  const { foreignBytes } = await runRandomRequests(unfiltered, { count: 200, seed })
  figures.atLeast('both off, foreign bytes in 200 requests', foreignBytes, 1)
}

async function proveWithBothLocksOff(run: ProofRun, env: Env): Promise<void> {
  const { services } = run
  await withMutatedRepository([WITHOUT_TENANT_FILTERS], (repository) =>
    withStage({ services, env, repository }, async (stage) => {
      await switchOffRowSecurity(services, stage.databaseName)
      await proveCrossed(run, stage, '')
    }),
  )
}

async function proveRefusals({ figures, print, services }: ProofRun, env: Env): Promise<void> {
  const { starts, refused, accepted } = await runUnsafeStarts(services, env)
  figures.exactly('unsafe starts refused', refused, starts)
  list(print, accepted)
}

async function proveMatrix({ figures, print, short }: ProofRun, stage: Stage): Promise<void> {
  const { cells, deviations, foreignBytes } = await runMatrix(stage, { short })
  figures.atLeast('matrix cells', cells, 1500)
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
  const count = short ? 1000 : 5000
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
  figures.exactly(`${when}statuses outside the expected`, found.strangeStatuses.length, 0)
  figures.exactly(`${when}foreign bytes`, found.foreignBytes, 0)
  list(print, [...found.strangeStatuses, ...found.leaks])
}

const LISTED = 10

function list(print: (line: string) => void, findings: readonly string[]): void {
  for (const finding of findings.slice(0, LISTED)) print(`  ${finding}`)
  if (findings.length > LISTED) print(`  and ${findings.length - LISTED} more`)
}
