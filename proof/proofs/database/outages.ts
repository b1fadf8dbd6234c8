/**
 * Takes the database away again and again while work goes on: restarts as they are asked for, as a crash makes them, and
 * crashes in the middle of the recovery from one; then the network in between breaks in each of its ways.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@concord/tools/launch'
import type { PrivatePostgres } from '@concord/tools/services'
import { happens, poll } from '../../harness/loop.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { shuffle } from '../../harness/statistics.ts'
import type { NetworkFault } from '../../harness/network/line.ts'
import type { Network } from './network.ts'

/** The worst first: a short run does not get to all of them. */
export const restartKinds = ['crash during recovery', 'crash', 'asked for'] as const

export type RestartKind = (typeof restartKinds)[number]

export interface Outage {
  readonly kind: RestartKind | NetworkFault
  readonly at: number
  /** Nothing can have succeeded between the beginning and this moment, where the database is really away. */
  readonly darkUntil: number
  /** The database accepts connections again, or the network passes them on as it should. */
  readonly overAt: number
  /** Requests on their way when it began. */
  readonly underWay: number
}

export interface OutageDeps extends FaultStage {
  readonly network: Network
  /** The longest between the end of one outage and the next. */
  readonly maxGapMs: number
  readonly print: (line: string) => void
}

const MAX_DOWN_MS = 1_000
const AGAIN_AFTER_MS = 1_000
const RETURN_MS = 15_000

/** Every kind gets its share, in an order that the seed decides. */
export function planRestarts(count: number, random: () => number): RestartKind[] {
  const kinds = Array.from({ length: count }, (_, at) => restartKinds[at % restartKinds.length] ?? 'crash')
  return shuffle(kinds, random)
}

export async function runRestarts(kinds: readonly RestartKind[], deps: OutageDeps): Promise<Outage[]> {
  const outages: Outage[] = []
  for (const kind of kinds) {
    const underWay = await prepare(deps)
    const at = Date.now()
    const darkUntil = await restart(kind, deps)
    outages.push({ kind, at, darkUntil, overAt: Date.now(), underWay })
    await untilAcknowledged(deps)
  }
  return outages
}

export interface PlannedFault {
  readonly kind: NetworkFault
  readonly forMs: number
}

export async function runNetworkFaults(plan: readonly PlannedFault[], deps: OutageDeps): Promise<Outage[]> {
  const outages: Outage[] = []
  for (const { kind, forMs } of plan) {
    const underWay = await prepare(deps)
    const at = Date.now()
    const open = await deps.network.set(kind)
    deps.print(`  ${kind}: ${open} connections, ${underWay} requests under way`)
    await delay(forMs)
    await deps.network.set('fair')
    outages.push({ kind, at, darkUntil: Date.now(), overAt: Date.now(), underWay })
    await untilAcknowledged(deps)
  }
  return outages
}

/** At a random moment, but not in the middle of nothing: an outage that hits no request shows little. */
async function prepare({ random, sender, maxGapMs }: OutageDeps): Promise<number> {
  await delay(maxGapMs * random())
  return poll(sender.underWay, { until: (requests) => requests > 0, withinMs: 2_000, everyMs: 5 })
}

/** The next outage waits for the service to be back; that it comes back in time is judged later, from the history. */
async function untilAcknowledged({ history }: OutageDeps): Promise<void> {
  const before = history.acknowledged()
  await happens(() => history.acknowledged() > before, { withinMs: RETURN_MS })
}

/** Returns when the start began that succeeded: until then nothing could. */
async function restart(kind: RestartKind, { servers: { postgres }, random }: OutageDeps): Promise<number> {
  const { url } = postgres
  if (kind === 'asked for') await postgres.stop()
  else postgres.kill('SIGKILL')
  await delay(random() * MAX_DOWN_MS)
  if (kind === 'crash during recovery') await startAndKill(postgres, AGAIN_AFTER_MS * (0.2 + random()))
  const began = Date.now()
  await postgres.restart()
  if (postgres.url !== url) throw new Error('Postgres came back at another address; run the proof again')
  return began
}

/** Killed while it replays its log, or just when everybody has come back to it. */
async function startAndKill(postgres: PrivatePostgres, afterMs: number): Promise<void> {
  const before = readPid(postgres)
  // One that is killed before it answers did not start; that is the point.
  const starting = postgres.restart().catch(() => undefined)
  const pid = await waitUntil(() => newPid(postgres, before), { what: 'Postgres starting', everyMs: 10 })
  await delay(afterMs)
  if (readPid(postgres) === pid) process.kill(pid, 'SIGKILL')
  await starting
}

function newPid(postgres: PrivatePostgres, before: number | undefined): number | undefined {
  const pid = readPid(postgres)
  return pid === before ? undefined : pid
}

/** Reads the pid that Postgres itself writes down, long before it accepts anybody. */
function readPid({ dataDir }: PrivatePostgres): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10)
    return Number.isNaN(pid) ? undefined : pid
  } catch {
    return undefined
  }
}
