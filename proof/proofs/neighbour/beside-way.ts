/** Quiet tenants alone, then beside one that is loud in its way, then alone again: what they and the process notice. */
import { setTimeout as delay } from 'node:timers/promises'
import { send } from '../../harness/http.ts'
import { poll, repeat } from '../../harness/loop.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { busySeconds, processorSeconds, residentMb } from '../../harness/offspring.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import type { ProofRun } from '../../harness/proof.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { percentile } from '../../harness/statistics.ts'
import { readDwells } from './dwell.ts'
import { startQuietTenants } from './sending.ts'
import type { QuietDocument } from './sending.ts'
import type { LoudWay, WaySize } from './ways.ts'

const FACTOR = 2
const ALLOWANCE_MS = 100
const MAX_MEMORY_MB = 512
const RECOVERY_MS = 30_000

export async function proveWay(
  { figures, size }: ProofRun<WaySize>,
  stage: FaultStage,
  way: LoudWay,
  { quiet: places, everyMs }: { quiet: readonly Place[]; everyMs: number },
): Promise<void> {
  const { fleet } = stage
  const loud = await createPlaces(fleet, { tenants: 1, scopes: way.scopes })
  await way.prepare?.(fleet, loud, size)
  const quiet = startQuietTenants({ ...stage, places, everyMs })
  const alone = await spanOf(() => delay(size.wayMs))
  const watch = watchProcess(stage)
  const loudTenant = way.start(fleet, loud)
  const usage = watchProcessor(fleet)
  const beside = await spanOf(() => delay(size.wayMs))
  const processor = usage.read()
  const loudAnswers = await loudTenant.stop()
  const ended = Date.now()
  await quiet.stop()
  const countLeft = () =>
    fleet.count('select count(*) from work where tenant_id = any($1)', [
      places.map(({ tenantId }) => tenantId),
    ])
  const left = await poll(countLeft, { until: (count) => count === 0, withinMs: RECOVERY_MS, everyMs: 250 })
  await poll(() => isReady(fleet.url()), { until: (ready) => ready, withinMs: RECOVERY_MS, everyMs: 250 })
  const recoveryMs = Date.now() - ended
  await watch.stop()

  const label = `beside ${way.name}`
  const dwellsIn = async (span: Span) =>
    (await readDwells(fleet, span)).flatMap(({ tenantId, ms }) => (tenantId === loud[0].tenantId ? [] : [ms]))
  const compare = (what: string, before: readonly number[], together: readonly number[]) => {
    const bound = percentile(before, 0.99) * FACTOR + ALLOWANCE_MS
    figures.note(`${what} alone, p50 / p99`, describe(before))
    figures.note(`${what} ${label}, p50`, percentile(together, 0.5), ' ms')
    figures.atMost(`${what} ${label}, p99`, percentile(together, 0.99), bound, ' ms')
  }
  compare('answer to the quiet tenants', answersIn(quiet.sent, alone), answersIn(quiet.sent, beside))
  compare('wait of the quiet tenants', await dwellsIn(alone), await dwellsIn(beside))
  const refused = quiet.sent.flatMap(({ call }) => call.tries.filter(({ outcome }) => outcome !== 'ok'))
  figures.exactly(`tries of the quiet tenants that were refused or lost ${label}`, refused.length, 0)
  const reasons = Map.groupBy(refused, ({ what }) => what)
  for (const [what, tries] of reasons) figures.note(`of these: ${what}`, tries.length)
  figures.exactly(`times that /readyz was red ${label}`, watch.red(), 0)
  figures.atMost(`memory of the API ${label}`, watch.maxMb(), MAX_MEMORY_MB, ' MB')
  figures.atMost(`documents of the quiet tenants not at their end after the load ${label}`, left, 0)
  figures.atMost(`recovery after the load ${label}`, recoveryMs, RECOVERY_MS, ' ms')
  figures.note(`processors used ${label}`, processor)
  const answers = [...loudAnswers].toSorted(([a], [b]) => a - b)
  figures.note(`answers to the loud tenant by status ${label}`, JSON.stringify(Object.fromEntries(answers)))
  const served = answers.reduce(
    (sum, [status, count]) => (status >= 200 && status < 300 ? sum + count : sum),
    0,
  )
  figures.atLeast(`requests of the loud tenant that were served ${label}`, served, 1)
}

interface Span {
  readonly from: number
  readonly until: number
}

async function spanOf(work: () => Promise<void>): Promise<Span> {
  const from = Date.now()
  await work()
  return { from, until: Date.now() }
}

function answersIn(sent: readonly QuietDocument[], { from, until }: Span): number[] {
  const isWithin = ({ call: { tries } }: QuietDocument) =>
    tries.slice(0, 1).some(({ at }) => at >= from && at < until)
  return sent.filter(isWithin).map(({ answerMs }) => answerMs)
}

function describe(times: readonly number[]): string {
  return [0.5, 0.99].map((share) => `${percentile(times, share).toFixed(0)} ms`).join(' / ')
}

/** One that does not answer is not ready. */
async function isReady(url: string): Promise<boolean> {
  return send(url, { path: '/readyz' }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** Its memory and its readiness, a few times a second. */
function watchProcess({ fleet }: FaultStage) {
  let maxMb = 0
  let red = 0
  const { stop } = repeat(async () => {
    for (const member of fleet.members('api')) maxMb = Math.max(maxMb, residentMb(member.process()?.pid ?? 0))
    if (!(await isReady(fleet.url()))) red += 1
    await delay(200)
  })
  return { stop, maxMb: () => maxMb, red: () => red }
}

/** The processor time of this process without its children, in seconds. */
function ownSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

/** How many processors the processes of the service, this proof and all others (Postgres, NATS) use from now on. */
function watchProcessor(fleet: Fleet) {
  const kinds = ['api', 'worker', 'dispatcher'] as const
  const readAll = () => ({
    at: performance.now(),
    all: busySeconds(),
    proof: ownSeconds(),
    kinds: kinds.map((kind) =>
      fleet.members(kind).reduce((sum, member) => sum + processorSeconds(member.process()?.pid ?? 0), 0),
    ),
  })
  const before = readAll()
  return {
    read(): string {
      const now = readAll()
      const seconds = (now.at - before.at) / 1000
      const used = kinds.map((_, at) => ((now.kinds[at] ?? 0) - (before.kinds[at] ?? 0)) / seconds)
      const proof = (now.proof - before.proof) / seconds
      const rest = (now.all - before.all) / seconds - used.reduce((sum, each) => sum + each, proof)
      const parts = kinds.map((kind, at) => `${kind} ${(used[at] ?? 0).toFixed(2)}`)
      return [...parts, `proof ${proof.toFixed(2)}`, `Postgres, NATS and others ${rest.toFixed(2)}`].join(
        ', ',
      )
    },
  }
}
