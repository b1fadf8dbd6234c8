/** Somebody holds a scope of one tenant for long, and another scope is reset: eight tenants beside it send on as if nothing was. */
import { setTimeout as delay } from 'node:timers/promises'
import { asSuperuser } from '@concord/tools/launch'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { send } from '../../harness/http.ts'
import { createPlaces, createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { drop } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { post } from '../../harness/post.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { reportExits } from '../../harness/report.ts'
import { percentile } from '../../harness/statistics.ts'
import { fillScope } from './filling.ts'
import { startSenders } from './senders.ts'
import type { Senders } from './senders.ts'
import { startSwitching } from './switching.ts'

const FULL = { rounds: 3, partMs: 20_000, resetDocuments: 500_000, backlog: 500, moves: 100 }
const SHORT = { rounds: 2, partMs: 3_000, resetDocuments: 5_000, backlog: 50, moves: 8 }
const SIZES = { api: 1, dispatcher: 1, worker: 1 }
const WARM_MS = 2_000
const TENANTS = 8

/** Restores the old behaviour: one statement waits for the head as long as a statement may. */
export const WAITS_FOR_EVER: Mutation = {
  name: 'a statement waits for a held scope as long as a statement may',
  at: 'scope.lock-timeout',
  change: drop,
}

type Run = ProofRun<typeof FULL>

export const busyScope = defineProof({
  name: 'busy-scope',
  shows: 'a scope that somebody holds, and one that is reset, keep no other tenant and no switch waiting',
  sabotages: 'a statement waits for a scope that somebody holds as long as a statement may',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT },
  mutations: [WAITS_FOR_EVER],
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFleet(run, { sizes: SIZES }, async (fleet) => {
    const others = await createPlaces(fleet, { tenants: TENANTS, scopes: 1 })
    const [held, emptied] = await createPlaces(fleet, { tenants: 1, scopes: 2 })
    if (!emptied) throw new Error('There is no scope to reset.')
    const adminKey = await createRootKey(fleet, 'admin')
    await fillScope(run.services, fleet.deployment.databaseName, emptied, run.size.resetDocuments)
    const senders = startSenders(fleet.url(), others)
    await delay(WARM_MS)
    const parts = await measureParts(run, fleet, { senders, held, emptied, adminKey })
    await senders.stop()
    report(run, parts)
    reportExits(run, fleet)
  })
}

interface Stage {
  readonly senders: Senders
  readonly held: Place
  readonly emptied: Place
  readonly adminKey: string
}

interface Parts {
  alone: number
  beside: number
  readonly refused: string[]
  readonly aloneMoveMs: number[]
  readonly moveMs: number[]
  readonly failedMoves: string[]
  /** Answers of the held scope while it was held. */
  heldAnswers: number
  resetMs: number
}

/** By turns, so that a machine that is slower for a while is so for both. */
async function measureParts(run: Run, fleet: Fleet, stage: Stage): Promise<Parts> {
  const { size } = run
  const parts: Parts = {
    alone: 0,
    beside: 0,
    refused: [],
    aloneMoveMs: [],
    moveMs: [],
    failedMoves: [],
    heldAnswers: 0,
    resetMs: 0,
  }
  for (let round = 0; round < size.rounds; round += 1) {
    const switchingAlone = startSwitching(fleet.url(), stage.adminKey)
    parts.alone += await stage.senders.countDuring(() => delay(size.partMs))
    parts.aloneMoveMs.push(...(await switchingAlone.stop()).ms)
    // Workers meet the scope too, and not only the API.
    await post(fleet.url(), [stage.held], documentsOf(`held-${round}`, size.backlog))
    await holdHead(run, fleet, stage.held, async () => {
      const ownSenders = startSenders(fleet.url(), [stage.held])
      const switching = startSwitching(fleet.url(), stage.adminKey)
      const emptying = round === 0 ? resetScope(fleet, stage) : Promise.resolve(0)
      parts.beside += await stage.senders.countDuring(() => delay(size.partMs))
      parts.resetMs += await emptying
      const moves = await switching.stop()
      parts.moveMs.push(...moves.ms)
      parts.failedMoves.push(...moves.failed)
      parts.heldAnswers += ownSenders.accepted()
      return ownSenders
    }).then((ownSenders) => ownSenders.stop())
  }
  parts.refused.push(...stage.senders.refused)
  return parts
}

/** Holds the head as a long transaction does, until the end. */
async function holdHead<Result>(
  { services }: Run,
  { deployment }: Fleet,
  { tenantId, scopeId }: Place,
  work: () => Promise<Result>,
): Promise<Result> {
  return asSuperuser(
    services,
    async (client) => {
      await client.query('begin')
      await client.query('select from scope_heads where tenant_id = $1 and scope_id = $2 for update', [
        tenantId,
        scopeId,
      ])
      try {
        return await work()
      } finally {
        await client.query('rollback')
      }
    },
    deployment.databaseName,
  )
}

async function resetScope(fleet: Fleet, { emptied, adminKey }: Stage): Promise<number> {
  const { status, ms, text } = await send(fleet.url(), {
    method: 'POST',
    path: `/admin/scopes/${emptied.scopeId}/reset`,
    bearer: adminKey,
    tenantKey: emptied.tenantKey,
    timeoutMs: 600_000,
  })
  if (status !== 200) throw new Error(`The reset was answered ${status}: ${text}`)
  return ms
}

function documentsOf(prefix: string, count: number) {
  return Array.from({ length: count }, (_, at) => ({ id: `${prefix}-${at}`, text: `Text ${at}.` }))
}

function report({ figures, size }: Run, parts: Parts): void {
  figures.note('documents of the others accepted, alone', parts.alone)
  figures.note('documents of the others accepted, beside', parts.beside)
  figures.note(`reset of ${size.resetDocuments} documents`, parts.resetMs, ' ms')
  figures.exactly('documents accepted into the held scope while it was held', parts.heldAnswers, 0)
  figures.atLeast('throughput of the others beside, of alone', parts.beside / parts.alone, 0.9)
  figures.none('refusals of the others', parts.refused)
  figures.none('moves of the switch that failed', parts.failedMoves)
  figures.atLeast('moves of the switch beside', parts.moveMs.length, size.moves)
  const [alone, beside] = [percentile(parts.aloneMoveMs, 0.99), percentile(parts.moveMs, 0.99)]
  figures.note('pause and resume alone, p99', alone, ' ms')
  figures.note('pause and resume beside, p99', beside, ' ms')
  // A machine that is slow is so in both.
  figures.atMost('pause and resume beside, p99, longer than alone', beside - alone, 400, ' ms')
}
