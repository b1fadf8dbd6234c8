/**
 * Random sequences of moves, resets and documents over two tenants with two scopes each, played at once against two API
 * processes with workers behind them and against a model that was written from the specification: the two must agree on
 * every answer, and no document may have run that was never let run.
 */
import * as fc from 'fast-check'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { drop } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { createCaller } from '../../harness/control/caller.ts'
import {
  commands,
  createStage,
  deleteScopes,
  openScopes,
  play,
  tour,
} from '../../harness/control/commands.ts'
import { poll } from '../../harness/loop.ts'
import { createRootKeys } from '../../harness/places.ts'
import { reportExits } from '../../harness/report.ts'
import type { Command, ControlStage } from '../../harness/control/commands.ts'
import { judgeDocument, letRun, moveSwitch } from '../../harness/control/model.ts'

const FULL = { sequences: 2_000, withinMs: 40 * 60_000 }
const SHORT = { sequences: 120, withinMs: 30_000 }
/** The size of the table: three states, five moves, three levels. */
const TRANSITIONS = 45
const TENANTS = 2
/** After so many sequences everything is let run, and must come to its end. */
const SETTLE_EVERY = 20
const SETTLE_MS = 30_000

/** Lets a stopped switch be paused and resumed, as if it were not. */
export const STOP_FORGOTTEN: Mutation = {
  name: 'what is stopped can be resumed',
  at: 'runtime.stopped',
  change: drop,
}

type Run = ProofRun<typeof FULL>

export const control = defineProof({
  name: 'control',
  shows: 'start, pause, resume, stop, restart, reset and delete do at every level what the table says',
  sabotages: 'what is stopped can be resumed',
  sizes: { full: FULL, short: SHORT },
  mutations: [STOP_FORGOTTEN],
  prove: (run) =>
    withFleet(run, { sizes: { api: 2, dispatcher: 1, worker: 1 } }, (fleet) => playAll(run, fleet)),
})

interface Tally {
  sequences: number
  commands: number
  readonly divergences: string[]
  readonly unsettled: string[]
}

async function playAll(run: Run, fleet: Fleet): Promise<void> {
  const { sequences, withinMs } = run.size
  const caller = await createCaller(fleet, TENANTS, await createRootKeys(fleet))
  const stage = createStage(caller)
  const tally: Tally = { sequences: 0, commands: 0, divergences: [], unsettled: [] }
  await playOne(stage, tally, tour())
  const property = fc.asyncProperty(commands, (sequence) => playOne(stage, tally, sequence))
  const checked = await fc.check(property, {
    seed: run.seed,
    numRuns: sequences,
    endOnFailure: true,
    interruptAfterTimeLimit: withinMs,
    markInterruptAsFailure: false,
  })
  // Without a divergence it was not the service that answered wrongly, but somebody who did not answer.
  if (checked.failed && tally.divergences.length === 0)
    throw new Error(`sequence ${tally.sequences} failed with an error`, { cause: checked.errorInstance })
  report(run, fleet, stage, tally)
}

async function playOne(stage: ControlStage, tally: Tally, sequence: readonly Command[]): Promise<boolean> {
  await openScopes(stage, tally.sequences)
  tally.sequences += 1
  const played: string[] = []
  for (const command of sequence) {
    played.push(JSON.stringify(command))
    const differences = await play(stage, command)
    tally.commands += 1
    if (differences.length === 0) continue
    tally.divergences.push(`${differences.join('; ')} after ${played.slice(-8).join(' ')}`)
    return false
  }
  const differences = await compareDocuments(stage)
  tally.divergences.push(...differences)
  if (tally.sequences % SETTLE_EVERY === 0) await settle(stage, tally)
  await deleteScopes(stage)
  return differences.length === 0
}

async function compareDocuments(stage: ControlStage, judge = judgeDocument): Promise<string[]> {
  const differences: string[] = []
  for (const [tenant, { scopes }] of stage.model.tenants.entries())
    for (const { scopeId, documents } of scopes) {
      const { body } = await stage.caller.call({ kind: 'list', api: tenant, tenant, scopeId })
      const items = body['items'] as { document_id: string; status: string; attempt: number }[]
      const seen = new Map(items.map((item) => [item.document_id, item]))
      for (const [id, document] of documents)
        differences.push(...[judge(id, document, seen.get(id))].filter((each) => each !== undefined))
      for (const id of seen.keys())
        if (!documents.has(id)) differences.push(`${id} is there, and should not be`)
    }
  return differences
}

const notProcessed: typeof judgeDocument = (id, { status }, seen) =>
  status === 'queued' && seen?.status !== 'processed' ? `${id} is ${seen?.status} still` : undefined

/** Everything is let run, and everything that was queued comes to its end. */
async function settle(stage: ControlStage, tally: Tally): Promise<void> {
  const { model, caller } = stage
  const start = { kind: 'move', op: 'start', internals: true } as const
  await caller.call({ kind: 'move', api: 0, op: 'start', internals: false })
  moveSwitch(model.service, 'start')
  for (const [tenant, { own, scopes }] of model.tenants.entries()) {
    await caller.call({ ...start, api: 0, tenant })
    moveSwitch(own, 'start')
    for (const scope of scopes) {
      await caller.call({ ...start, api: 1, tenant, scopeId: scope.scopeId })
      moveSwitch(scope.own, 'start')
    }
  }
  letRun(model)
  const findOpen = () => compareDocuments(stage, notProcessed)
  const open = await poll(findOpen, { until: ({ length }) => length === 0, withinMs: SETTLE_MS })
  tally.unsettled.push(...open)
}

function report(run: Run, fleet: Fleet, { moves, documents }: ControlStage, tally: Tally): void {
  const { figures, size } = run
  if (run.short || run.sabotage) figures.note('sequences played', tally.sequences)
  else figures.atLeast('sequences played', tally.sequences, size.sequences)
  figures.note('commands played', tally.commands)
  figures.note('documents sent', documents)
  figures.none('divergences from the model', tally.divergences)
  figures.exactly('moves of the table that were never made', TRANSITIONS - moves.size, 0)
  figures.atMost('documents that did not come to their end once everything ran', tally.unsettled, 0)
  reportExits(run, fleet)
}
