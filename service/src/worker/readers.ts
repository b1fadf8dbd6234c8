/**
 * The two readers. The rule reader reads a document in a reading process. The model reader asks a language model by a
 * plan that a reading process makes. The attempt is parked during the requests, so that hundreds of documents can wait
 * for the model at the same time.
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
export interface AttemptRef {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
  readonly attempt: number
  /** The name of the document, which a model sees beside the statements; empty for the rule reader. */
  readonly name: string
}

/** Never rejects because of the document. */
export type TextReader = (task: ReadingTask, place: AttemptRef) => Promise<ReadingOutcome<Reading>>

export interface ReadersDeps {
  readonly run: (task: ReadingTask) => Promise<ReadingOutcome<TaskResult>>
}

export function createRuleReader({ run }: ReadersDeps): TextReader {
  return async (task) => {
    const outcome = await run({ ...task, text: markTask('rules', task.text) })
    if (outcome.kind === 'failed') return outcome
    if (outcome.result.kind !== 'reading') throw new Error('expected a reading, but got a plan')
    return { ...outcome, result: outcome.result.reading }
  }
}

export interface ModelReaderDeps extends ReadersDeps {
  readonly ask: AskForScope
  /** Every document is compared in requests of its own, not only documents with instructions to the model. */
  readonly isolatesAll: boolean
  /** Parks the attempt. The returned function unparks it. */
  readonly park: (place: AttemptRef) => () => void
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal
}

/** Rejects with a `ModelFailure` if the model gives no answer and the document is not the cause. */
export function createModelReader({ run, ask, isolatesAll, park, signal }: ModelReaderDeps): TextReader {
  return async (task, place) => {
    const outcome = await run({ ...task, text: markTask('plan', task.text) })
    if (outcome.kind === 'failed') return outcome
    const planned = outcome.result
    if (planned.kind !== 'plan') throw new Error('expected a plan, but got a reading')
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
