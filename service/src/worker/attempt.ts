/**
 * Runs one attempt for one delivery: start it, decrypt the text, ask the policies, read, encrypt the result, complete the attempt,
 * acknowledge the message. Every outcome maps to one of a closed set of ends. The message is acknowledged only after the commit.
 */
import type { AttemptResult, Attempts, StartResult, DeferredAttempt } from '../app/processing/attempts.ts'
import { locateClaims } from '../app/documents/claim-locations.ts'
import { openCard, openLayout } from '../app/documents/document-card.ts'
import { isOutage, isRefused } from '../app/failures.ts'
import { governDocument } from '../app/access/governance.ts'
import type { Governance, ModelOffer } from '../app/access/governance.ts'
import { keyClaims } from '../app/documents/keyed-claims.ts'
import type { Policies } from '../app/access/policies.ts'
import type { ScopeSeal, ScopeSeals } from '../app/scopes/scope-seals.ts'
import type { AttemptEnd } from '../domain/attempt-end.ts'
import type { FailureReason } from '../domain/attempt.ts'
import type { FileLayout } from '../domain/file-layout.ts'
import { ModelFailure } from '../domain/model.ts'
import { deferralOf, waitingReasonOf } from '../domain/model-deferral.ts'
import { gapOf, toStoredReport } from '../domain/reading-report.ts'
import { MAX_ATTEMPTS, retryDelayMs } from '../domain/retry.ts'
import type { Log } from '../platform/log.ts'
import type { Delivery } from './delivery.ts'
import type { TextReader } from './readers.ts'
import type { Reading } from './reading.ts'

export interface AttemptDeps {
  readonly attempts: Attempts
  readonly seals: ScopeSeals
  readonly policies: Policies
  /** The rule reader. */
  readonly read: TextReader
  /** Reads the documents that policy allows the language model to see; undefined without a model. */
  readonly model?: (ModelOffer & { readonly read: TextReader }) | undefined
  /** Aborted when the worker stops. Attempts that wait for the model are handed back then. */
  readonly stopping?: AbortSignal
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  /** Called with the number of the attempt and the memory of its text when it has begun. */
  readonly started: (attempt: number, bytes: number) => void
  /** Called when the result waits in the heavy queue. */
  readonly onHeavy?: () => void
  /** Called once for every attempt, when it has ended. */
  readonly onEnd?: (message: Delivery['message'], end: AttemptEnd, timeline: AttemptTimeline) => void
  /** Called when the attempt found the database away. */
  readonly onDatabaseAway?: () => void
  readonly random: () => number
  readonly log: Log
}

/** The times at which the steps of an attempt ended, in milliseconds of the monotonic clock. Steps that were not reached are missing. */
export interface AttemptTimeline {
  readonly startedMs: number
  claimedMs?: number
  readMs?: number
  endedMs?: number
  /** The duration of the reading itself. */
  readingMs?: number
  fault?: FailureReason | 'unreadable'
}

/** Delays follow the schedule of failed attempts, up to 4 to 8 s, so that work resumes soon once the database is back. */
const MAX_HAND_BACK_STEPS = 4

type SealedAttempt = Extract<StartResult, { readonly outcome: 'claimed' }>

/** The encrypted text is not kept: an attempt may be parked for minutes, and the text itself is in memory then. */
type StartedAttempt = Omit<SealedAttempt, 'sealed' | 'outcome'> & {
  readonly delivery: Delivery
  /** Undefined if the text cannot be decrypted. */
  readonly opened: OpenedText | undefined
}

/** A string takes two bytes a character, unless all of its characters are Latin. */
const BYTES_PER_CHARACTER = 2

export async function runAttempt(deps: AttemptDeps, delivery: Delivery): Promise<AttemptEnd> {
  const timeline: AttemptTimeline = { startedMs: performance.now() }
  const end = await runSteps(deps, delivery, timeline)
  timeline.endedMs = performance.now()
  deps.onEnd?.(delivery.message, end, timeline)
  return end
}

async function runSteps(
  deps: AttemptDeps,
  delivery: Delivery,
  timeline: AttemptTimeline,
): Promise<AttemptEnd> {
  try {
    const started = await start(deps, delivery, timeline)
    if (typeof started === 'string') return started
    const result = await readStarted(deps, started, timeline)
    timeline.readMs = performance.now()
    return await ('afterMs' in result ? defer(deps, delivery, result) : complete(deps, delivery, result))
  } catch (error) {
    deps.log.warn({ err: error, ticket: delivery.message.ticket }, 'attempt abandoned')
    if (isOutage(error)) deps.onDatabaseAway?.()
    handBack(deps, delivery, error)
    return 'abandoned'
  }
}

async function start(
  deps: AttemptDeps,
  delivery: Delivery,
  timeline: AttemptTimeline,
): Promise<StartedAttempt | AttemptEnd> {
  const { message } = delivery
  // @point attempt.start
  const answer = await deps.attempts.start(message)
  timeline.claimedMs = performance.now()
  if (answer.outcome === 'busy') {
    handBack(deps, delivery, undefined)
    return 'abandoned'
  }
  if (answer.outcome !== 'claimed') return drop(deps, delivery, answer.outcome)
  const { attempt, lastReason, document, sealed } = answer
  deps.started(attempt, BYTES_PER_CHARACTER * document.characters)
  // The log names the ticket, because the id of a document may be content.
  deps.log.debug({ ticket: message.ticket, attempt }, 'claimed')
  const opened = (await openText(deps, message, sealed)) ?? (await openText(deps, message, sealed))
  return { delivery, attempt, lastReason, document, opened }
}

/**
 * Returns the message for an early retry. A message that cannot be returned is redelivered when its lease expires. The retry comes at
 * once if the database was not reached. Otherwise the delay grows up to a bound: an attempt that the database counted although its
 * response was lost is used up, and so may be every further one while connections break.
 */
function handBack({ random, log }: AttemptDeps, delivery: Delivery, why: unknown): void {
  const step = isRefused(why) ? 1 : Math.min(delivery.times ?? 1, MAX_HAND_BACK_STEPS)
  try {
    delivery.retryIn(retryDelayMs(step, random()))
  } catch (error) {
    log.warn(
      { err: error, ticket: delivery.message.ticket },
      'the broker could not be told of an abandoned attempt',
    )
  }
}

function drop(
  { announceEvents }: AttemptDeps,
  delivery: Delivery,
  end: 'stale' | 'exhausted' | 'paused',
): AttemptEnd {
  delivery.ack()
  if (end === 'exhausted') announceEvents(delivery.message.tenantId, delivery.message.scopeId)
  return end
}

async function readStarted(
  deps: AttemptDeps,
  started: StartedAttempt,
  timeline: AttemptTimeline,
): Promise<AttemptResult | DeferredAttempt> {
  const { opened, delivery } = started
  const { message } = delivery
  if (!opened) return toFailedResult(started, (timeline.fault = 'unreadable'))
  const governance = await governDocument(deps.policies, message, started.document, opened.seal, deps.model)
  const { made } = governance
  const last = made.at(-1)
  if (last && !last.decision.allowed) return toHeldResult(started, made, last.decision.reason)
  const result = await readOpened(deps, started, opened, governance, timeline)
  return 'afterMs' in result ? result : { ...result, made }
}

async function readOpened(
  deps: AttemptDeps,
  started: StartedAttempt,
  opened: OpenedText,
  { isForModel }: Governance,
  timeline: AttemptTimeline,
): Promise<AttemptResult | DeferredAttempt> {
  const { seal, text } = opened
  const { message } = started.delivery
  const failedBefore = started.lastReason !== null
  const task = { id: message.ticket, text, failedBefore, priority: message.priority === true }
  const read = isForModel && deps.model ? deps.model.read : deps.read
  const name = isForModel ? openCard(seal, message.documentId, started.document.sealedCard).name : ''
  try {
    // @point attempt.read
    const outcome = await read(task, { ...message, attempt: started.attempt, name })
    if (outcome.kind === 'failed') return toFailedResult(started, (timeline.fault = outcome.reason))
    timeline.readingMs = outcome.ms
    return await toProcessedResult(deps, opened, started, outcome.result)
  } catch (error) {
    if (isForModel && deps.stopping?.aborted) return handOver(started)
    const deferred = error instanceof ModelFailure && deferFor(error, started, deps.random())
    if (deferred) return deferred
    throw error
  }
}

/** Defers the attempt: the model gave no answer, and the document is not the cause. */
function deferFor(
  why: ModelFailure,
  { delivery: { message }, attempt }: StartedAttempt,
  random: number,
): DeferredAttempt | undefined {
  // @point attempt.defer
  const waitingReason = waitingReasonOf(why)
  return waitingReason && { ...message, attempt, ...deferralOf(why, random), waitingReason }
}

/** Returns the document to the backlog, so that another worker can start it at once. */
function handOver({ delivery: { message }, attempt }: StartedAttempt): DeferredAttempt {
  return { ...message, attempt, afterMs: 0, grows: false, waitingReason: null }
}

interface OpenedText {
  readonly seal: ScopeSeal
  readonly text: string
}

/** Decrypts the text. A cached seal of an older epoch cannot decrypt what was sealed after a reset, so it is dropped from the cache. */
async function openText(
  { seals }: AttemptDeps,
  message: Delivery['message'],
  sealed: Buffer,
): Promise<OpenedText | undefined> {
  const seal = await seals.get(message.tenantId, message.scopeId)
  try {
    return { seal, text: seal.open('text', message.documentId, sealed).toString('utf8') }
  } catch {
    seals.forget(message.tenantId, message.scopeId, seal.epoch)
    return undefined
  }
}

async function toProcessedResult(
  deps: AttemptDeps,
  { seal, text }: OpenedText,
  { delivery: { message }, attempt, document }: StartedAttempt,
  reading: Reading,
): Promise<AttemptResult> {
  const { passages, sentences, json, report } = reading
  const { documentId } = message
  const { version } = document
  const sealed = seal.seal(`reading ${version}`, documentId, json)
  const layout = await loadLayout(deps, seal, message, document)
  const located = await locateClaims(reading.claims, text, layout)
  const claims = await keyClaims(seal, { documentId, version }, located)
  return {
    ...message,
    attempt,
    verdict: 'processed',
    reason: null,
    reading: {
      passages,
      sentences,
      sealed,
      report: toStoredReport(report),
      // @point attempt.complete.gap
      gap: gapOf(report),
    },
    content: { claims, seal },
  }
}

/** The card says whether the document came as a file, so that a document that came as text costs no statement. */
async function loadLayout(
  { attempts }: AttemptDeps,
  seal: ScopeSeal,
  message: Delivery['message'],
  { sealedCard, version }: StartedAttempt['document'],
): Promise<FileLayout | undefined> {
  const { documentId } = message
  if (openCard(seal, documentId, sealedCard).unread === undefined) return undefined
  const sealed = await attempts.loadLayout(message, version, seal.epoch)
  return sealed === null ? undefined : openLayout(seal, documentId, sealed)
}

function toHeldResult(
  { delivery: { message }, attempt }: StartedAttempt,
  made: NonNullable<AttemptResult['made']>,
  reason: string,
): AttemptResult {
  return { ...message, attempt, verdict: 'held', reason, reading: null, made }
}

function toFailedResult({ delivery: { message }, attempt }: StartedAttempt, reason: string): AttemptResult {
  const verdict = attempt >= MAX_ATTEMPTS ? 'failed' : 'retry'
  return { ...message, attempt, verdict, reason, reading: null }
}

async function complete(deps: AttemptDeps, delivery: Delivery, result: AttemptResult): Promise<AttemptEnd> {
  // @point attempt.complete
  const outcome = await deps.attempts.complete(result, deps.onHeavy)
  if (outcome === 'settled' && result.verdict === 'retry') {
    delivery.retryIn(retryDelayMs(result.attempt, deps.random()))
    return 'retried'
  }
  // The message is not acknowledged, because it may now be the lease of another attempt. If it is not, it is redelivered once and
  // dropped at the start.
  if (outcome === 'stale') return 'stale'
  // @point attempt.acknowledge
  delivery.ack()
  deps.announceEvents(result.tenantId, result.scopeId)
  return result.verdict === 'retry' ? 'retried' : result.verdict
}

/** The document waits in the backlog again, so the message is acknowledged. */
async function defer(deps: AttemptDeps, delivery: Delivery, deferred: DeferredAttempt): Promise<AttemptEnd> {
  const outcome = await deps.attempts.defer(deferred)
  if (outcome === 'stale') return 'stale'
  delivery.ack()
  deps.announceEvents(deferred.tenantId, deferred.scopeId)
  return 'deferred'
}
