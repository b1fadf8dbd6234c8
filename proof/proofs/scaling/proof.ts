/**
 * Ten times the load, and back: two hatcheries bring up the workers that are needed, agree on who has how many, do not
 * swing, and let them go again. Nothing is lost over it, and the snapshot tells what the machine shows.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive, waitUntil } from '@concord/tools/launch'
import type { HatcherySnapshot } from '@concord/client'
import { startLoad } from '../../harness/load.ts'
import { poll } from '../../harness/loop.ts'
import { createRootKey } from '../../harness/places.ts'
import { reportExits, reportSettling } from '../../harness/report.ts'
import { countLeft } from '../../harness/watch.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { never } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { readSnapshot, startLooking } from '../../harness/sights.ts'
import type { Looking } from '../../harness/sights.ts'
import { sum } from '../../harness/statistics.ts'
import { openSlowLine } from './slow-line.ts'
import { judgeScaling } from './verdict.ts'

const FULL = { calmSeconds: 20, stepSeconds: 60, afterSeconds: 90 }
const SHORT = { calmSeconds: 4, stepSeconds: 15, afterSeconds: 24 }
const SIZES = { api: 1, dispatcher: 1, worker: 0 }
/** One document at a time and a worker, each waiting for a slow line: so a few a second need several workers. */
const ENV = { WORKER_CAPACITY: '1', READERS: '1' }
const LINE_MS = 60
const BOUNDS = { HATCHERY_MIN: '1', HATCHERY_MAX: '5' }
const HATCHERIES = 2
/** Documents a second before the step; ten times as many during it. */
const RATE = 1
const STEP = 10
const MAX_SECONDS_TO_REACH = 15
const MAX_SECONDS_TO_RETURN = 75
/** The share of what came in the second half of the step, completed in that time. */
const MIN_KEPT_UP = 0.95

/** Whatever is measured, nobody asks for more. */
export const NEVER_MORE: readonly Mutation[] = [
  {
    name: 'the rule never wants more workers',
    at: 'scaling.grow',
    change: never,
  },
]

type Run = ProofRun<typeof FULL>

export const scaling = defineProof({
  name: 'scaling',
  shows: 'ten times the load gets the workers it needs within seconds, without swinging, and they go again',
  sabotages: 'the rule never wants more workers',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT },
  mutations: NEVER_MORE,
  prove,
})

async function prove(run: Run): Promise<void> {
  // How workers come and go is the question, not how long a slow line holds a scope.
  await withFaultStage(run, { silent: true, sizes: SIZES, env: ENV }, async (stage) => {
    const { fleet } = stage
    const key = await createRootKey(fleet, 'internals')
    const url = fleet.url()
    const line = await openSlowLine(fleet.deployment.env['WORKER_DATABASE_URL'] ?? '', LINE_MS)
    try {
      const env = { ...BOUNDS, WORKER_DATABASE_URL: line.url }
      await Promise.all(
        Array.from({ length: HATCHERIES }, () => fleet.deployment.startKernel('hatchery', env)),
      )
      await waitUntil(async () => isAgreed(await readSnapshot(url, key)), {
        what: 'both hatcheries agreeing on who decides, each with a worker',
        withinMs: 20_000,
      })
      const looking = startLooking(url, key)
      try {
        await stepUp(run, stage, looking, () => readSnapshot(url, key))
      } finally {
        await looking.stop()
      }
      await countLeft(fleet.ask, 20_000)
    } finally {
      await line.close()
    }
    run.figures.note('documents acknowledged', stage.history.acknowledged())
    await reportSettling(run, stage, 20_000)
    reportExits(run, fleet)
  })
}

function isAgreed({ hatcheries, roles }: HatcherySnapshot): boolean {
  const living = hatcheries.filter(({ alive }) => alive)
  const role = roles.find((each) => each.role === 'worker')
  return (
    living.length === HATCHERIES &&
    living.filter(({ decides }) => decides).length === 1 &&
    role?.running === HATCHERIES
  )
}

async function stepUp(
  run: Run,
  stage: FaultStage,
  looking: Looking,
  readNow: () => Promise<HatcherySnapshot>,
): Promise<void> {
  const { calmSeconds, stepSeconds, afterSeconds } = run.size
  await loadFor(stage, RATE, calmSeconds)
  const stepAt = looking.now()
  const half = stepSeconds / 2
  await loadFor(stage, RATE * STEP, half)
  const middle = { acknowledged: stage.history.acknowledged(), completed: completedIn(looking) }
  await loadFor(stage, RATE * STEP, half)
  const came = stage.history.acknowledged() - middle.acknowledged
  const completed = completedIn(looking) - middle.completed
  const stepEndAt = looking.now()
  reportTop(run, await readNow())
  const wantedAt = (moment: number) => looking.sights.findLast(({ at }) => at < moment)?.wanted ?? 0
  // A short run sees the first go; a full one sees all of them.
  const enough = run.short ? wantedAt(stepEndAt) - 1 : wantedAt(stepAt)
  const load = startLoadAt(stage, RATE)
  await poll(() => wantedAt(Infinity), {
    until: (wanted) => wanted <= enough,
    withinMs: afterSeconds * 1_000,
  })
  await load.finish(10_000)
  const verdict = judgeScaling(looking.sights, { stepAt, stepEndAt })

  const { figures } = run
  figures.note('workers before the step', verdict.before)
  figures.atLeast('workers that ten times the load needed', verdict.needed, verdict.before + 1)
  figures.atMost('seconds until they ran', verdict.secondsToReach, MAX_SECONDS_TO_REACH, ' s')
  figures.atLeast('completed of what came in the second half of the step', completed / came, MIN_KEPT_UP)
  figures.atMost('reversals', verdict.reversals, 1)
  if (run.short)
    figures.atMost('seconds until fewer were wanted after it', verdict.secondsToShrink, afterSeconds, ' s')
  else
    figures.atMost(
      'seconds until no more were wanted than before',
      verdict.secondsToReturn,
      MAX_SECONDS_TO_RETURN,
      ' s',
    )
  for (const { from, to, reason } of decisionsIn(looking)) run.print(`  decided: ${from} to ${to}, ${reason}`)
}

/** The workers that the snapshot shows are there: each worker a process that lives, shared between the hatcheries. */
function reportTop({ figures }: Run, { workers, hatcheries }: HatcherySnapshot): void {
  const told = workers.filter(
    ({ role, state }) => role === 'worker' && state !== 'lost' && state !== 'retiring',
  )
  const shares = hatcheries.map(
    ({ hatchery_id: id }) => told.filter(({ hatchery_id: hatchery }) => hatchery === id).length,
  )
  figures.atLeast('hatcheries heard', hatcheries.filter(({ alive }) => alive).length, HATCHERIES)
  const dead = told.filter(({ pid }) => !isAlive(pid)).map(({ worker_id: id }) => id)
  figures.atMost('workers told of that are no living process', dead, 0)
  figures.atMost('workers one hatchery has more than the other', Math.max(...shares) - Math.min(...shares), 1)
}

/** By everyone who was ever heard: the count of one that is gone stays. */
function completedIn({ sights }: Looking): number {
  const byWorker = new Map<string, number>()
  for (const { snapshot } of sights)
    for (const { worker_id: id, processed } of snapshot.workers) byWorker.set(id, processed)
  return sum([...byWorker.values()])
}

function decisionsIn({ sights }: Looking) {
  const decisions = sights.at(-1)?.snapshot.roles.find(({ role }) => role === 'worker')?.decisions ?? []
  return decisions.toReversed()
}

async function loadFor(stage: FaultStage, rate: number, seconds: number): Promise<void> {
  const load = startLoadAt(stage, rate)
  await delay(seconds * 1_000)
  await load.finish(10_000)
}

const startLoadAt = (stage: FaultStage, rate: number) =>
  startLoad({ ...stage, rate, clients: 24, batchers: 0, isFull: () => false })
