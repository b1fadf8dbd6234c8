/**
 * One attempt, as a line of small steps over one delivery: claim, open, govern, read, seal, settle, acknowledge. Whatever
 * happens maps to one of a closed set of ends, and the message is acknowledged only after the commit it stands for.
 */
import type { AttemptResult, Attempts, ClaimAnswer, DeferredAttempt } from '../app/processing/attempts.ts'
import { locateClaims } from '../app/documents/claim-locations.ts'
import { openCard } from '../app/documents/document-card.ts'
import { isOutage, isRefused } from '../app/failures.ts'
import { governDocument } from '../app/access/governing.ts'
import type { Governance, OfferedModel } from '../app/access/governing.ts'
import { keyClaims } from '../app/documents/keyed-claims.ts'
import type { Policies } from '../app/access/policies.ts'
import type { ScopeSeal, ScopeSeals } from '../app/scopes/scope-seals.ts'
import type { AttemptEnd } from '../domain/attempt-end.ts'
import type { FailureReason } from '../domain/attempt.ts'
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
  /** Reads by rules. */
  readonly read: TextReader
  /** Reads the documents that policy allows the language model to see; undefined where there is none. */
  readonly model?: (OfferedModel & { readonly read: TextReader }) | undefined
  /** Aborted when the worker stops: what waits for the model is handed back then. */
  readonly stopping?: AbortSignal
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  /** From here on it is known which attempt this is. */
  readonly claimed: (attempt: number) => void
  /** Told once of every attempt, when it is over. */
  readonly over?: (note: Delivery['note'], end: AttemptEnd, course: AttemptCourse) => void
  /** The database was not there for it. */
  readonly foundAway?: () => void
  readonly random: () => number
  readonly log: Log
}

/** When each step of an attempt was done, in milliseconds of the process' own clock; what was not reached is missing. */
export interface AttemptCourse {
  readonly startedMs: number
  claimedMs?: number
  readMs?: number
  overMs?: number
  /** How long the reading itself took. */
  readingMs?: number
  fault?: FailureReason | 'unreadable'
}

/** By the schedule of failed attempts: at most 4 to 8 s, so that all is taken up soon once the database is back. */
const MAX_HAND_BACK_STEPS = 4

type Claimed = Extract<ClaimAnswer, { readonly outcome: 'claimed' }> & { readonly delivery: Delivery }

export async function runAttempt(deps: AttemptDeps, delivery: Delivery): Promise<AttemptEnd> {
  const course: AttemptCourse = { startedMs: performance.now() }
  const end = await goThrough(deps, delivery, course)
  course.overMs = performance.now()
  deps.over?.(delivery.note, end, course)
  return end
}

async function goThrough(deps: AttemptDeps, delivery: Delivery, course: AttemptCourse): Promise<AttemptEnd> {
  try {
    // @point attempt.start
    const claim = await deps.attempts.claim(delivery.note)
    course.claimedMs = performance.now()
    if (claim.outcome === 'busy') {
      handBack(deps, delivery, undefined)
      return 'abandoned'
    }
    if (claim.outcome !== 'claimed') return drop(deps, delivery, claim.outcome)
    deps.claimed(claim.attempt)
    // The attempt is named by its ticket, for what names a document has no place in a log.
    deps.log.debug({ ticket: delivery.note.ticket, attempt: claim.attempt }, 'claimed')
    const result = await readClaimed(deps, { delivery, ...claim }, course)
    course.readMs = performance.now()
    return await ('afterMs' in result ? defer(deps, delivery, result) : settle(deps, delivery, result))
  } catch (error) {
    deps.log.warn({ err: error, ticket: delivery.note.ticket }, 'attempt abandoned')
    if (isOutage(error)) deps.foundAway?.()
    handBack(deps, delivery, error)
    return 'abandoned'
  }
}

/**
 * Only to be tried again sooner: what cannot be handed back returns when its lease ends. At once where the database was not
 * even reached. Else later each time, up to a bound: a claim that the database has counted although its answer was lost
 * costs the document an attempt, and while connections break one after the other each further try may.
 */
function handBack({ random, log }: AttemptDeps, delivery: Delivery, why: unknown): void {
  const step = isRefused(why) ? 1 : Math.min(delivery.times ?? 1, MAX_HAND_BACK_STEPS)
  try {
    delivery.retryIn(retryDelayMs(step, random()))
  } catch (error) {
    log.warn(
      { err: error, ticket: delivery.note.ticket },
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
  if (end === 'exhausted') announceEvents(delivery.note.tenantId, delivery.note.scopeId)
  return end
}

async function readClaimed(
  deps: AttemptDeps,
  claimed: Claimed,
  course: AttemptCourse,
): Promise<AttemptResult | DeferredAttempt> {
  const { note } = claimed.delivery
  const opened = (await openText(deps, claimed)) ?? (await openText(deps, claimed))
  if (!opened) return failure(claimed, (course.fault = 'unreadable'))
  const governance = await governDocument(deps.policies, note, claimed.document, opened.seal, deps.model)
  const { made } = governance
  const last = made.at(-1)
  if (last && !last.decision.allowed) return held(claimed, made, last.decision.reason)
  const result = await readOpened(deps, claimed, opened, governance, course)
  return 'afterMs' in result ? result : { ...result, made }
}

async function readOpened(
  deps: AttemptDeps,
  claimed: Claimed,
  opened: Opened,
  { isForModel }: Governance,
  course: AttemptCourse,
): Promise<AttemptResult | DeferredAttempt> {
  const { seal, text } = opened
  const { note } = claimed.delivery
  const failedBefore = claimed.lastReason !== null
  const task = { id: note.ticket, text, failedBefore, express: note.express === true }
  const read = isForModel && deps.model ? deps.model.read : deps.read
  const name = isForModel ? openCard(seal, note.documentId, claimed.document.sealedCard).name : ''
  try {
    // @point attempt.read
    const outcome = await read(task, { ...note, attempt: claimed.attempt, name })
    if (outcome.kind === 'failed') return failure(claimed, (course.fault = outcome.reason))
    course.readingMs = outcome.ms
    return await success(opened, claimed, outcome.result)
  } catch (error) {
    if (isForModel && deps.stopping?.aborted) return handOver(claimed)
    const deferred = error instanceof ModelFailure && deferFor(error, claimed, deps.random())
    if (deferred) return deferred
    throw error
  }
}

/** The model gave no answer, and the document is not to blame: it waits for the model. */
function deferFor(
  why: ModelFailure,
  { delivery: { note }, attempt }: Claimed,
  random: number,
): DeferredAttempt | undefined {
  // @point attempt.defer
  const waitingReason = waitingReasonOf(why)
  return waitingReason && { ...note, attempt, ...deferralOf(why, random), waitingReason }
}

/** Another worker takes it up at once. */
function handOver({ delivery: { note }, attempt }: Claimed): DeferredAttempt {
  return { ...note, attempt, afterMs: 0, grows: false, waitingReason: null }
}

interface Opened {
  readonly seal: ScopeSeal
  readonly text: string
}

/** A seal that was remembered from before a reset opens nothing that was sealed after it, and is forgotten then. */
async function openText(
  { seals }: AttemptDeps,
  { delivery: { note }, sealed }: Claimed,
): Promise<Opened | undefined> {
  const seal = await seals.get(note.tenantId, note.scopeId)
  try {
    return { seal, text: seal.open('text', note.documentId, sealed).toString('utf8') }
  } catch {
    seals.forget(note.tenantId, note.scopeId, seal.epoch)
    return undefined
  }
}

async function success(
  { seal, text }: Opened,
  { delivery: { note }, attempt, document }: Claimed,
  reading: Reading,
): Promise<AttemptResult> {
  const { passages, sentences, json, report } = reading
  const { documentId } = note
  const { version } = document
  const sealed = seal.seal(`reading ${version}`, documentId, json)
  const { layout } = openCard(seal, documentId, document.sealedCard)
  const located = await locateClaims(reading.claims, text, layout)
  const claims = await keyClaims(seal, { documentId, version }, located)
  return {
    ...note,
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

function held(
  { delivery: { note }, attempt }: Claimed,
  made: NonNullable<AttemptResult['made']>,
  reason: string,
): AttemptResult {
  return { ...note, attempt, verdict: 'held', reason, reading: null, made }
}

function failure({ delivery: { note }, attempt }: Claimed, reason: string): AttemptResult {
  const verdict = attempt >= MAX_ATTEMPTS ? 'failed' : 'retry'
  return { ...note, attempt, verdict, reason, reading: null }
}

async function settle(deps: AttemptDeps, delivery: Delivery, result: AttemptResult): Promise<AttemptEnd> {
  // @point attempt.complete
  const outcome = await deps.attempts.settle(result)
  if (outcome === 'settled' && result.verdict === 'retry') {
    delivery.retryIn(retryDelayMs(result.attempt, deps.random()))
    return 'retried'
  }
  // Not acknowledged: the message may by now be the lease of whoever took over. If it is nobody's, it comes back once
  // more and is dropped when it is claimed.
  if (outcome === 'stale') return 'stale'
  // @point attempt.acknowledge
  delivery.ack()
  deps.announceEvents(result.tenantId, result.scopeId)
  return result.verdict === 'retry' ? 'retried' : result.verdict
}

/** The work waits in the backlog again, so the message is done with. */
async function defer(deps: AttemptDeps, delivery: Delivery, deferred: DeferredAttempt): Promise<AttemptEnd> {
  const outcome = await deps.attempts.defer(deferred)
  if (outcome === 'stale') return 'stale'
  delivery.ack()
  deps.announceEvents(deferred.tenantId, deferred.scopeId)
  return 'deferred'
}
