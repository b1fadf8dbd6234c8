/**
 * Files that are made to do harm, sent over the API beside somebody else's texts: each is read or refused with its reason, within its limits of time
 * and memory, nothing crashes, and the other tenant keeps its pace. Turns with and without files follow one another in the same run, because a
 * machine that others use is now faster and now slower.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { poll } from '../../harness/loop.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { reportExits } from '../../harness/report.ts'
import { countOpen } from '../../harness/watch.ts'
import { hostileFiles } from './corpus.ts'
import type { HostileFile } from './hostile-file.ts'
import { rateOf, startNeighbour } from './neighbour.ts'
import type { Pace } from './neighbour.ts'
import { watchProcesses } from './processes.ts'
import { judgeFiles, makeFiles, sendFiles } from './sending.ts'
import type { FileAnswer } from './sending.ts'

const FULL = { files: Infinity, leastFiles: 200, turns: 4, aloneMs: 20_000, withinMs: 600_000 }
const SHORT = { files: 35, leastFiles: 35, turns: 3, aloneMs: 2_000, withinMs: 15_000 }
const SABOTAGED = { withinMs: 5_000 }
const SIZES = { api: 1, dispatcher: 1, worker: 1 }
/** The number of readers of an API process unless told otherwise. Files are refused as overloaded only where they wait for a process. */
const SETTINGS = { FILE_READERS: '2', SHED_LATE_MS: '0' }
const LEAST_SHARE = 0.8
/** Up to 15 s until a process is free, and 40 s by the clock until it is ended. */
const MAX_ANSWER_SECONDS = 60
/** A process of 512 MB is looked at every 50 ms, and grows meanwhile. */
const MAX_CHILD_MB = 768
/** Three files of 25 MiB come in at the same time, each with a copy on its way to the process. */
const MAX_API_MB = 512

/** Files are read in the API itself, as the texts of requests are. */
export const READ_IN_PLACE: Mutation = {
  name: 'files are read in the API process',
  at: 'files.read',
  change: rewriteValue(
    () =>
      `await (await import('../extraction/extract.ts')).extractFile(type, bytes).catch((error) => ({ fault: error.fault ?? 'crashed' }))`,
  ),
}

type Run = ProofRun<typeof FULL>

export const files = defineProof({
  name: 'files',
  shows:
    'hostile files are read or refused with their reason within their limits, and others keep their pace',
  sabotages: 'files are read in the API process instead of a process of their own',
  measuresPace: true,
  byHand: 'its pace was measured in the short form only (docs/explanation/guarantees.md)',
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  mutations: [READ_IN_PLACE],
  prove: (run) => withFleet(run, { sizes: SIZES, env: SETTINGS }, (fleet) => prove(run, fleet)),
})

async function prove(run: Run, fleet: Fleet): Promise<void> {
  const { figures, size } = run
  const [hostile, other] = await createPlaces(fleet, { tenants: 2, scopes: 1 })
  if (!other) throw new Error('The second tenant is missing.')
  const processes = watchProcesses(fleet)
  try {
    const chosen = choose(size.files)
    const { answers, alone, beside, refusals } = await takeTurns(run, fleet, { hostile, other, chosen })
    reportFiles(run, answers)
    figures.none('texts of the other tenant that were refused', refusals)
    figures.note('texts of the other tenant a second, alone and beside', describeRates(alone, beside))
    figures.atLeast(
      'share of its pace that the other tenant keeps',
      rateOf(beside) / rateOf(alone),
      LEAST_SHARE,
    )
    const left = await poll(() => countOpen(fleet, 'file-'), {
      until: (open) => open === 0,
      withinMs: size.withinMs,
      everyMs: 250,
    })
    figures.exactly('files that were read and are not at their end as documents', left, 0)
    figures.none('documents that failed without a reason', await listUnexplained(fleet))
    figures.note('processes that read files, met', processes.children())
    figures.exactly(
      'API processes that read files in processes of their own',
      processes.children() > 0 ? 1 : 0,
      SIZES.api,
    )
    figures.atMost('most memory of one of them', processes.childMb(), MAX_CHILD_MB, ' MB')
    figures.atMost('most memory of the API', processes.apiMb(), MAX_API_MB, ' MB')
    figures.none('processes that read files and are left', processes.left())
    reportExits(run, fleet)
  } finally {
    processes.stop()
  }
}

/** All of them, or so many of those for the short run, of every type. */
function choose(count: number): readonly HostileFile[] {
  const all = hostileFiles()
  if (count >= all.length) return all
  const short = all.filter(({ isShort }) => isShort)
  return Array.from(
    { length: Math.min(count, short.length) },
    (_, at) => short[Math.floor((at * short.length) / count)],
  ).filter((file) => file !== undefined)
}

interface Stage {
  readonly hostile: Place
  readonly other: Place
  readonly chosen: readonly HostileFile[]
}

async function takeTurns({ size }: Run, fleet: Fleet, { hostile, other, chosen }: Stage) {
  const neighbour = startNeighbour(fleet.url(), other)
  const [alone, beside]: [Pace[], Pace[]] = [[], []]
  const answers: FileAnswer[] = []
  const share = Math.ceil(chosen.length / size.turns)
  await delay(size.aloneMs / 4)
  for (let turn = 0; turn < size.turns; turn += 1) {
    const part = await makeFiles(chosen.slice(turn * share, (turn + 1) * share))
    alone.push(await neighbour.during(() => delay(size.aloneMs)))
    beside.push(
      await neighbour.during(async () => {
        answers.push(...(await sendFiles(fleet.url(), hostile, part, turn * share)))
      }),
    )
  }
  alone.push(await neighbour.during(() => delay(size.aloneMs)))
  await neighbour.stop()
  return { answers, alone, beside, refusals: neighbour.refusals }
}

function reportFiles({ figures, size }: Run, answers: readonly FileAnswer[]): void {
  figures.atLeast('hostile files', answers.length, size.leastFiles)
  const { wrong, late } = judgeFiles(answers)
  figures.none('files that ended otherwise than they must', wrong)
  figures.atMost('files that were ended for their time instead', late, answers.length / 20)
  figures.note('files that were read, and those that were refused', describeEnds(answers))
  figures.note(
    'times that a file was to be sent again later',
    answers.reduce((sum, { repeated }) => sum + repeated, 0),
  )
  const slowest = answers.toSorted((a, b) => b.ms - a.ms)[0]
  figures.atMost('longest time until an answer', (slowest?.ms ?? 0) / 1000, MAX_ANSWER_SECONDS, ' s')
}

function describeEnds(answers: readonly FileAnswer[]): string {
  const read = answers.filter(({ end }) => end === 'read').length
  return `${read} / ${answers.length - read}`
}

function describeRates(alone: readonly Pace[], beside: readonly Pace[]): string {
  return [alone, beside].map((paces) => rateOf(paces).toFixed(1)).join(' / ')
}

async function listUnexplained({ ask }: Fleet): Promise<string[]> {
  const rows = await ask<{ id: string }>(
    `select document_id as id from documents where status = 'failed' and error_code is null`,
  )
  return rows.map(({ id }) => id)
}
