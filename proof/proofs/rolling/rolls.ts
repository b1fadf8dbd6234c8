/**
 * Rolls a fleet over: one process after the other is told to stop, ends by itself, and is replaced by a new one; only
 * when that one serves, the next is told. Every departure says how long it took and what it was in the middle of.
 */
import { waitUntil } from '@concord/tools/launch'
import type { Fleet } from '../../harness/fleet.ts'
import { poll } from '../../harness/loop.ts'
import type { Member, Role } from '../../harness/member.ts'
import type { Watch } from '../../harness/watch.ts'
import type { Balancer } from './balancer.ts'

export interface Departure {
  readonly role: Role
  readonly name: string
  readonly at: number
  readonly exitMs: number
  /** 0 when it ended in good order; null when a signal ended it. */
  readonly exitCode: number | null
  /** Requests on their way to an API, documents with the workers otherwise. */
  readonly inFlight: number
}

export interface RollDeps {
  readonly fleet: Fleet
  readonly watch: Watch
  readonly balancer: Balancer
}

const AIM_MS = 2_000
const RETURN_MS = 60_000

export async function rollOver(deps: RollDeps): Promise<Departure[]> {
  const departures: Departure[] = []
  for (const member of deps.fleet.members()) departures.push(await replace(member, deps))
  return departures
}

async function replace(member: Member, deps: RollDeps): Promise<Departure> {
  const child = member.process()
  if (!child) throw new Error(`${member.name} is not there to be replaced`)
  // A stop in the middle of nothing shows nothing.
  const inFlight = await poll(() => inFlightOf(member, deps), {
    until: (count) => count > 0,
    withinMs: AIM_MS,
    everyMs: 5,
  })
  const at = Date.now()
  const asked = performance.now()
  await member.kill('SIGTERM')
  const exitMs = performance.now() - asked
  const { code } = await child.exited
  await waitUntil(() => serves(member, deps), {
    what: `${member.name} being there again`,
    withinMs: RETURN_MS,
  })
  return { role: member.role, name: member.name, at, exitMs, exitCode: code, inFlight }
}

function inFlightOf(member: Member, { watch, balancer }: RollDeps): number {
  const child = member.process()
  return child && 'url' in child ? balancer.underWay(child.url) : watch.latest().processing
}

/** An API counts once requests may be sent to it: else the next one would leave nobody behind. */
function serves(member: Member, { balancer }: RollDeps): boolean {
  const child = member.process()
  return child !== undefined && (!('url' in child) || balancer.urls().includes(child.url))
}
