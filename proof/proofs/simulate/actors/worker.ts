/** A worker as in service/src/worker: pulls while it has room, runs each delivery as one attempt, renews its leases. */
import type { SimulatedDelivery, Note } from '../broker.ts'
import type { Fate } from './chaos.ts'
import { ask, carry, pause } from '../programs.ts'
import type { Program, Sending } from '../programs.ts'
import type { CompleteAnswer, CompleteRequest } from '../rules.ts'
import type { SimulateStage } from '../stage.ts'

const PULL_EVERY_MS = 400
const RENEW_EVERY_MS = 3_000
const SETTLE_PATIENCE_MS = 60_000

/** Everything in here is forgotten at a crash, which some texts bring about. */
export function startWorker(stage: SimulateStage, spawn: (program: Program) => void, fate: Fate): void {
  const inFlight = new Set<SimulatedDelivery>()
  spawn(pull(stage, inFlight, (delivery) => spawn(work(stage, inFlight, delivery, fate))))
  spawn(renew(stage, inFlight))
}

function* pull(
  stage: SimulateStage,
  inFlight: Set<SimulatedDelivery>,
  begin: (delivery: SimulatedDelivery) => void,
): Program {
  const { broker } = stage
  for (;;) {
    const room = stage.capacity - inFlight.size
    const taken = room > 0 ? ((yield* carry('receive', () => broker.receive(stage.now(), room))) ?? []) : []
    for (const delivery of taken) {
      inFlight.add(delivery)
      begin(delivery)
    }
    if (taken.length === 0) yield* pause(PULL_EVERY_MS)
  }
}

function* renew({ broker, now }: SimulateStage, inFlight: ReadonlySet<SimulatedDelivery>): Program {
  for (;;) {
    yield* pause(RENEW_EVERY_MS)
    for (const { id } of inFlight) yield* carry('working', () => broker.working(now(), id))
  }
}

function* work(
  stage: SimulateStage,
  inFlight: Set<SimulatedDelivery>,
  delivery: SimulatedDelivery,
  fate: Fate,
): Program {
  if (delivery.redelivered) stage.meet('a message is delivered again')
  yield* runAttempt(stage, delivery, fate)
  inFlight.delete(delivery)
}

/** Acknowledged only after the commit that it stands for. */
function* runAttempt(stage: SimulateStage, { id, note }: SimulatedDelivery, fate: Fate): Sending<void> {
  const { broker, limits, chance, now } = stage
  const retryIn = (ms: number) => carry('retry in', () => broker.retryIn(now(), id, ms))
  const ack = () => carry('ack', () => broker.ack(id))
  const started = yield* ask('start', { ...note, maxStarts: limits.maxStarts })
  if (!started) return yield* retryIn(limits.retryDelayMs(1, chance.number()))
  if (started.outcome !== 'claimed') return yield* ack()
  yield* pause(chance.happens(0.5) ? chance.between(1_000, 9_000) : chance.between(10, 500))
  if (textOf(stage, note) === 'deadly') return fate.die()
  // With a result in hand that somebody else may have by the time it thaws.
  if (stage.isStormy() && chance.happens(0.04)) {
    fate.freeze()
    yield* pause(1)
  }
  const result = read(stage, note, started.attempt)
  const outcome = yield* complete(stage, result)
  // Not acknowledged when stale: the message may by now be the lease of whoever took over.
  if (outcome === 'stale') return
  if (outcome === 'settled' && result.verdict !== 'retry') return yield* ack()
  const failures = outcome === 'settled' ? started.attempt : 1
  yield* retryIn(limits.retryDelayMs(failures, chance.number()))
}

/** Some texts can never be read; some fail now and then. */
function read(stage: SimulateStage, note: Note, attempt: number): CompleteRequest {
  if (isBarred(stage, note)) return { ...note, attempt, verdict: 'held', reason: 'barred' }
  const isReadable = textOf(stage, note) !== 'poison' && !stage.chance.happens(0.1)
  if (isReadable) return { ...note, attempt, verdict: 'processed', reason: null }
  const verdict = attempt >= stage.limits.maxAttempts ? 'failed' : 'retry'
  return { ...note, attempt, verdict, reason: 'threw' }
}

/** Policy holds this text until a person lets it pass. */
function isBarred(stage: SimulateStage, note: Note): boolean {
  const document = stage.tables().documents.get(note.ref.key)
  return document?.fingerprint === 'barred' && document.releasedVersion !== document.version
}

function textOf({ tables }: SimulateStage, { ref }: Note): string | null | undefined {
  return tables().documents.get(ref.key)?.fingerprint
}

/** Holds on while the database is away; completing twice is harmless. */
function* complete(stage: SimulateStage, result: CompleteRequest): Sending<CompleteAnswer | undefined> {
  const deadline = stage.now() + SETTLE_PATIENCE_MS
  for (let wait = 100; ; wait = Math.min(2_000, wait * 2)) {
    const outcome = yield* ask('complete', result)
    if (outcome || stage.now() > deadline) return outcome
    stage.meet('a result is sent again because no answer came')
    yield* pause(wait)
  }
}
