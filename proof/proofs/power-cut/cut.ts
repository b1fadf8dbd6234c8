/**
 * One power cut: the disk stops at an instant, nothing that ran ever moves again, the power returns, and servers and
 * service start on what the disk kept. Clients go on trying all the while.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@concord/tools/launch'
import type { Fleet } from '../../harness/fleet.ts'
import type { RecordedCall } from '../../harness/history.ts'
import { childrenOf, isAlive } from '../../harness/offspring.ts'
import type { Offspring } from '../../harness/offspring.ts'
import { countMessages } from '../../harness/servers.ts'
import type { Servers } from '../../harness/servers.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { selectBacklog } from '../../harness/watch.ts'
import type { Disk } from './disk.ts'
import { findLosses } from './losses.ts'
import type { Losses, StoredPlace } from './losses.ts'

export interface PowerCut extends Losses {
  readonly at: number
  /** Requests without an answer, and documents not at their end, at the moment of the cut. */
  readonly requests: number
  readonly documents: number
  /** The messages of the broker before and after. */
  readonly messages: readonly [before: number, after: number]
  /** Whether a file written without a sync just before was gone, as it must be. */
  readonly forgot: boolean
  readonly secondsDown: number
}

const WHOLE_MS = 60_000
const UNSYNCED = 'written and not synced'

export async function cutPower(stage: FaultStage, disk: Disk): Promise<PowerCut> {
  const { servers, fleet, sender, history } = stage
  const documents = await waitUntil(() => countUnended(stage), { what: 'a document being under way' })
  const before = await countMessages(servers)
  const unsynced = join(disk.path, `unsynced-${Date.now()}`)
  await writeFile(unsynced, UNSYNCED)
  const requests = await waitUntil(() => sender.underWay() || undefined, {
    what: 'a request being under way',
    everyMs: 1,
  })
  const at = Date.now()
  disk.cutPower()
  stopAll(servers, fleet)
  await disk.restorePower()
  const promised = history.calls.map((call) => ({ ...call }))
  const forgot = (await readFile(unsynced, 'utf8').catch(() => '')) !== UNSYNCED
  await bringBack(servers)
  const after = await countMessages(servers)
  const losses = await lossesOf(stage, promised, at)
  await startAgain(fleet)
  const secondsDown = (Date.now() - at) / 1000
  return { ...losses, at, requests, documents, messages: [before, after], forgot, secondsDown }
}

/** Undefined where there is none: a cut that hits nothing shows nothing. */
async function countUnended({ fleet }: FaultStage): Promise<number | undefined> {
  return (await selectBacklog(fleet.ask)).total || undefined
}

/**
 * The servers are killed. The service is only frozen, so that its supervisors do not start it over and over while
 * there is no server; it is killed before it could move again.
 */
function stopAll({ postgres, nats }: Servers, fleet: Fleet): void {
  const backends = childrenOf(postgres.pid)
  postgres.kill('SIGKILL')
  nats.kill('SIGKILL')
  for (const member of fleet.members()) member.process()?.signal('SIGSTOP')
  // Their postmaster is dead, so they would go by themselves; one that is writing takes its time.
  for (const backend of backends) killIfAlive(backend)
}

function killIfAlive(backend: Offspring): void {
  try {
    if (isAlive(backend)) process.kill(backend.pid, 'SIGKILL')
  } catch (error) {
    // Gone in between.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function bringBack({ postgres, nats }: Servers): Promise<void> {
  const addresses = () => `${postgres.url} ${nats.url}`
  const known = addresses()
  await Promise.all([postgres.restart(), nats.restart()])
  if (addresses() !== known)
    throw new Error('A server came back at another address, where nobody looks for it; run the proof again.')
}

async function lossesOf({ fleet }: FaultStage, promised: readonly RecordedCall[], at: number) {
  const stored = await fleet.ask<StoredPlace>(
    `select tenant_id as "tenantId", scope_id as "scopeId", document_id as "documentId" from documents`,
  )
  return findLosses(promised, stored, at)
}

async function startAgain(fleet: Fleet): Promise<void> {
  const members = fleet.members()
  await Promise.all(members.map((member) => member.kill()))
  await waitUntil(() => members.every((member) => member.process()), {
    what: 'the whole service serving again after the power cut',
    withinMs: WHOLE_MS,
  })
}
