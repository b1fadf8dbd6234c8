/**
 * Carries out a plan of kills. Processes are brought back by their supervisor, servers by us after a moment; the next
 * kill does not wait for that, so faults overlap as they like. Every kill says how much work it hit.
 */
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@concord/tools/launch'
import type { KillKind, PlannedKill } from './kill-plan.ts'
import type { Member, Role } from '../../harness/member.ts'
import { childrenOf } from '../../harness/offspring.ts'
import type { Offspring } from '../../harness/offspring.ts'
import { poll } from '../../harness/loop.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { pick } from '../../harness/statistics.ts'

export interface Kill {
  readonly kind: KillKind
  readonly name: string
  readonly at: number
  /** Requests or documents that it had in hand; of a worker this is known only afterwards, from the log. */
  readonly inFlight: number | undefined
}

export interface KillRun {
  readonly kills: readonly Kill[]
  /** Children of killed processes, which must not outlive them. */
  readonly offspring: readonly Offspring[]
}

const MEMBER_MS = 60_000
const MAX_DOWN_MS = 1_000
const AIM_MS = 4_000

export async function runKills(plan: readonly PlannedKill[], deps: FaultStage): Promise<KillRun> {
  const kills: Kill[] = []
  const offspring: Offspring[] = []
  const restoring = new Map<KillKind, Promise<void>>()
  for (const { kind, afterMs } of plan) {
    await delay(afterMs)
    // A server that is still being brought back cannot be killed again.
    await restoring.get(kind)
    if (kind === 'postgres' || kind === 'nats') {
      kills.push(await killServer(kind, deps))
      restoring.set(kind, restoreServer(kind, deps))
    } else kills.push(await killMember(kind, deps, offspring))
  }
  await Promise.all(restoring.values())
  return { kills, offspring }
}

async function killServer(kind: 'postgres' | 'nats', deps: FaultStage): Promise<Kill> {
  const { servers, fleet, sender, watch } = deps
  const inFlight = await aim(() => {
    const { ready, processing } = watch.latest()
    return kind === 'postgres' ? sender.underWay() + processing : ready + processing
  })
  const at = Date.now()
  servers[kind].kill('SIGKILL')
  fleet.presence.note(kind, false)
  return { kind, name: kind, at, inFlight }
}

/** Waits a little for the victim to have something in hand; a kill that hits nothing shows nothing. */
async function aim(inFlight: () => number | Promise<number>): Promise<number> {
  return poll(inFlight, { until: (count) => count > 0, withinMs: AIM_MS, everyMs: 20 })
}

async function restoreServer(
  kind: 'postgres' | 'nats',
  { servers, fleet, random }: FaultStage,
): Promise<void> {
  await delay(random() * MAX_DOWN_MS)
  const { url } = servers[kind]
  await servers[kind].restart()
  fleet.presence.note(kind, true)
  if (servers[kind].url !== url)
    throw new Error(`${kind} came back at another address, where nobody looks for it; run the proof again`)
}

async function killMember(role: Role, deps: FaultStage, offspring: Offspring[]): Promise<Kill> {
  const member = await waitUntil(() => chooseVictim(role, deps), {
    what: `a ${role} to kill being there`,
    withinMs: MEMBER_MS,
  })
  const inFlight = await aim(() => inFlightOf(member, deps))
  const child = member.process()
  if (child) offspring.push(...childrenOf(child.pid))
  const at = Date.now()
  // The same moment, by which a takeover is found again.
  await member.kill('SIGKILL', at)
  // The count of all workers together says little about this one; the log tells later.
  return { kind: role, name: member.name, at, inFlight: role === 'worker' ? undefined : inFlight }
}

/** A dispatcher is usually the one that is at work; the other only waits for its lease. */
async function chooseVictim(role: Role, { fleet, random }: FaultStage): Promise<Member | undefined> {
  const living = fleet.members(role).filter((member) => member.process())
  if (role === 'dispatcher' && random() < 0.75) {
    const holders = await leaseHolders(fleet)
    const active = living.find((member) => holders.includes(`${hostname()}:${member.process()?.pid}`))
    if (active) return active
  }
  return pick(living, random)
}

async function inFlightOf(member: Member, { fleet, sender, watch }: FaultStage): Promise<number> {
  const child = member.process()
  const { queued, ready, processing } = watch.latest()
  if (!child) return 0
  if (member.role === 'worker') return processing
  if ('url' in child) return sender.underWay(child.url)
  const holders = await leaseHolders(fleet)
  return holders.includes(`${hostname()}:${child.pid}`) ? queued + ready : 0
}

/** Nobody, when the database cannot be asked. */
async function leaseHolders({ ask }: FaultStage['fleet']): Promise<string[]> {
  const holders = ask<{ holder: string }>(
    'select distinct holder from dispatch_leases where expires_at > now() and holder is not null',
  )
  return (await holders.catch(() => [])).map(({ holder }) => holder)
}
