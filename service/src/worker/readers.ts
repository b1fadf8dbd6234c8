/**
 * The two readers. Rules read a document in a reading process. The language model reads it by a plan that such a process makes; the
 * attempt is parked while the model is asked, so that hundreds of documents wait for it at the same time.
 */
import type { AskForScope } from '../app/model/model-answers.ts'
import type { ReadClaim } from '../app/documents/keyed-claims.ts'
import type { ReadingOutcome, ReadingTask } from '../domain/attempt.ts'
import type { LocatedClaim } from '../domain/claim.ts'
import { factKeyOf, tokensOf, wordsOf } from '../model/facts.ts'
import { isolate, isSuspect } from '../model/orders.ts'
import { readWithModel } from '../model/reading.ts'
import type { Reading } from './reading.ts'
import { markTask, toPlan } from './plan.ts'
import type { TaskResult } from './plan.ts'

/** The attempt for which a document is read. */
export interface AttemptPlace {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
  readonly attempt: number
  /** The name of the document, which a model is shown beside its statements; empty where none reads it. */
  readonly name: string
}

/** Never rejects for what a document does. */
export type TextReader = (task: ReadingTask, place: AttemptPlace) => Promise<ReadingOutcome<Reading>>

export interface ReadersDeps {
  readonly run: (task: ReadingTask) => Promise<ReadingOutcome<TaskResult>>
}

export function createRuleReader({ run }: ReadersDeps): TextReader {
  return async (task) => {
    const outcome = await run({ ...task, text: markTask('rules', task.text) })
    if (outcome.kind === 'failed') return outcome
    if (outcome.result.kind !== 'reading') throw new Error('a reading was asked for, and a plan came')
    return { ...outcome, result: outcome.result.reading }
  }
}

export interface ModelReaderDeps extends ReadersDeps {
  readonly ask: AskForScope
  /** Not only documents that speak to the model are compared in requests of their own. */
  readonly isolatesAll: boolean
  /** Parks the attempt from now on; the function that comes back ends that. */
  readonly park: (place: AttemptPlace) => () => void
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal
}

/** Rejects with a `ModelFailure` where the model gives no answer for no fault of the document. */
export function createModelReader({ run, ask, isolatesAll, park, signal }: ModelReaderDeps): TextReader {
  return async (task, place) => {
    const outcome = await run({ ...task, text: markTask('plan', task.text) })
    if (outcome.kind === 'failed') return outcome
    const planned = outcome.result
    if (planned.kind !== 'plan') throw new Error('a plan was asked for, and a reading came')
    const { tenantId, scopeId, documentId, name } = place
    const isolated = isolatesAll || isSuspect(planned.rest, name)
    const asked = { tenantId, scopeId, documentIds: [documentId] }
    const unpark = park(place)
    try {
      const { claims, report } = await readWithModel(
        toPlan(planned, task.text),
        (request, own) => ask(asked, request, own),
        { signal },
      )
      const { passages, sentences, json } = planned
      const own = isolated ? claims.map(isolate) : claims
      const read = own.map((claim) => toReadClaim(claim, documentId))
      return { ...outcome, result: { passages, sentences, json, report, claims: read } }
    } finally {
      unpark()
    }
  }
}

/** A claim of the model has no keys: it is compared as a fact. */
function toReadClaim(claim: LocatedClaim, documentId: string): ReadClaim {
  return {
    kind: claim.kind,
    keys: [],
    valueKey: '',
    json: Buffer.from(JSON.stringify(claim)),
    fact: {
      key: factKeyOf(claim, documentId),
      words: wordsOf(claim),
      tokens: tokensOf(claim),
    },
  }
}
