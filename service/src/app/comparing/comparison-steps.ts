/**
 * Compares the facts of a document with a language model, in steps: finds due steps, leases one, asks the model and writes
 * the result. The model is asked between two transactions, so no lock is held meanwhile.
 */
import { stepRetryDelayMs } from '../../domain/comparison-step.ts'
import type { PlacedClaim } from '../../domain/finding.ts'
import { BudgetReserved, ModelFailure } from '../../domain/model.ts'
import type { ModelAnswer, ModelRequest, ModelStep } from '../../domain/model.ts'
import { CANDIDATE_LIMITS } from '../../model/candidates.ts'
import { askAboutStep } from '../../model/step.ts'
import type { JudgedPair, OpenedFact, OpenedStep, StepAnswer } from '../../model/step.ts'
import { rankOf } from '../../platform/fingerprint.ts'
import * as store from '../../store/comparing/comparison-steps.ts'
import type {
  ShownWitness,
  OwnFact,
  StepFact,
  StepRef,
  StepRow,
  StoredFact,
} from '../../store/comparing/comparison-steps.ts'
import { holdComparedStep, isAnyWithoutHeldStep, wasCompared } from '../../store/comparing/left-out-facts.ts'
import { selectJudgedDocuments } from '../../store/contradictions/judge-requests.ts'
import type { JudgedDocument } from '../../store/contradictions/judge-requests.ts'
import type { Pools } from '../../store/pools.ts'
import { recordConvergence } from '../../store/scopes/convergence.ts'
import { appendEvents, lockScopeHead } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import { inTenant, inTenantScope } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import type { Auditor } from '../audit/audit.ts'
import { openFindings } from './comparison.ts'
import { showFacts } from './shown-facts.ts'
import type { RankedFinding } from './group-memo.ts'
import { openClaim } from '../documents/claim-seals.ts'
import { openCard } from '../documents/document-card.ts'
import { factsOf } from '../access/governance.ts'
import type { Policies } from '../access/policies.ts'
import type { ScopeSeal, ScopeSeals } from '../scopes/scope-seals.ts'

export type { StepRef }

export interface ComparisonDeps {
  /** Runs as the worker role. */
  readonly pools: Pools
  readonly seals: ScopeSeals
  readonly policies: Policies
  readonly auditor: Auditor
  /** Asks the model on behalf of a scope. Rejects with a `ModelFailure` if there is no answer. */
  readonly ask: (
    source: {
      readonly tenantId: string
      readonly scopeId: string
      /** The documents whose content is in the request. */
      readonly documentIds: readonly string[]
    },
    request: ModelRequest,
    signal?: AbortSignal,
  ) => Promise<ModelAnswer>
  readonly nameOf: (step: ModelStep) => string
  /** True if the request leaves this machine. */
  readonly external: boolean
  /** The maximum size of a scope's statements, in tokens, for comparing a document with all of them. */
  readonly budget: number
  /** The lease of a step. After it expires, another worker may take the step. */
  readonly leaseMs: number
  /** Called after the commit with the scope that has new events. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
}

export interface LeasedStep {
  readonly ref: StepRef
  readonly row: StepRow
  readonly seal: ScopeSeal
  readonly step: OpenedStep
  /** The facts that count as compared once the step is complete. */
  readonly met: readonly bigint[]
  /** Policies forbid the document of an earlier fact, so the step is held once the rest is compared. */
  readonly leavesOut: boolean
}

/** The retry delay of a step that a policy forbids, because policies may change. */
const LATER_MS = 15 * 60_000

/** The maximum number of other facts of the same document that the facts of a step are compared with. */
const MAX_OWN_FACTS = 200

/** After this many refusals of the model, the step ends without an answer. */
const MAX_REFUSALS = 3

export async function findDueSteps({ pools }: ComparisonDeps, most: number): Promise<StepRef[]> {
  return store.selectDueSteps(pools.kernel, 'facts', most)
}

/** `gone`: another worker has the step, or it no longer exists. `not_allowed`: a policy forbids sending its document. */
export async function leaseStep(
  deps: ComparisonDeps,
  ref: StepRef,
): Promise<LeasedStep | 'gone' | 'not_allowed'> {
  const { tenantId, scopeId } = ref
  const seal = await deps.seals.get(tenantId, scopeId)
  const taken = await inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    const row = await store.leaseStep(transaction, ref, deps.leaseMs)
    if (!row) return 'gone'
    if (row.epoch !== seal.epoch) {
      deps.seals.forget(tenantId, scopeId, seal.epoch)
      await store.postponeStep(transaction, ref, { ...row, afterMs: 0 })
      return 'gone'
    }
    const facts = await store.loadStep(transaction, scopeId, row, {
      ...CANDIDATE_LIMITS,
      budget: deps.budget,
    })
    const allowed = await selectAllowed(deps, transaction, ref, facts, seal)
    if (!allowed.has(row.documentId)) return { forbidden: row }
    const forbidden = facts.filter(({ isNew, documentId }) => !isNew && !allowed.has(documentId))
    const leavesOut = await isAnyWithoutHeldStep(transaction, scopeId, forbidden)
    // The model is asked about the rest once, not each time the step is checked.
    if (leavesOut && row.heldReason === 'not_permitted' && (await wasCompared(transaction, scopeId, row)))
      return { forbidden: row }
    const own = await store.loadOwnFacts(transaction, scopeId, row, {
      limit: MAX_OWN_FACTS,
      factsOfWord: CANDIDATE_LIMITS.factsOfWord,
    })
    return openStep({ ref, row, seal, leavesOut }, facts, own, allowed)
  })
  if (typeof taken === 'string' || !('forbidden' in taken)) return taken
  await holdStep(deps, ref, taken.forbidden, { reason: 'not_permitted', afterMs: LATER_MS })
  return 'not_allowed'
}

/** Holds the step until something else changes. The first held step of a scope emits an event with the reason. */
async function holdStep(
  deps: ComparisonDeps,
  ref: StepRef,
  { epoch }: StepRow,
  hold: Omit<store.StepHold, 'epoch'>,
): Promise<void> {
  const { tenantId, scopeId } = ref
  const hasChanged = await inTenantScope(deps.pools.tenant, { tenantId, scopeId }, async (transaction) => {
    const head = await lockScopeHead(transaction, scopeId)
    if (head?.epoch !== epoch) return false
    const held = await store.holdStep(transaction, ref, { ...hold, epoch })
    if (held === undefined) return false
    if (held === 1) await emitHoldEvent(transaction, head, 'comparison.held', hold.reason)
    await recordConvergence(transaction.connection, [{ tenantId, scopeId }])
    return true
  })
  if (hasChanged) deps.announceEvents(tenantId, scopeId)
}

async function emitHoldEvent(
  transaction: TenantTransaction,
  head: ScopeHead,
  kind: 'comparison.held' | 'comparison.released',
  reason: store.HoldReason,
): Promise<void> {
  await appendEvents(transaction, head, [{ kind, documentId: null, version: null, data: { reason } }])
}

/** Returns the documents that the policies allow to be sent to the model. */
async function selectAllowed(
  { policies, nameOf, external }: ComparisonDeps,
  transaction: TenantTransaction,
  { tenantId, scopeId }: StepRef,
  facts: readonly StepFact[],
  seal: ScopeSeal,
): Promise<Map<string, JudgedDocument>> {
  const byDocument = new Map(facts.map((fact) => [fact.documentId, fact]))
  const documents = await selectJudgedDocuments(transaction, scopeId, [...byDocument.values()])
  const set = await policies.inForce(transaction, scopeId)
  const models = new Set([nameOf('compare'), nameOf('verify')])
  const allowed = documents.filter((asked) => {
    const { documentId } = asked
    const about = { tenantId, scopeId, documentId, document: factsOf(asked, asked, seal) }
    return [...models].every(
      (model) =>
        set.decide({ ...about, point: 'process_document', stage: 'compare', model, external }).allowed,
    )
  })
  return new Map(allowed.map((document) => [document.documentId, document]))
}

function openStep(
  { ref, row, seal, leavesOut }: Omit<LeasedStep, 'step' | 'met'>,
  facts: readonly StepFact[],
  own: readonly OwnFact[],
  allowed: ReadonlyMap<string, JudgedDocument>,
): LeasedStep {
  const sent = facts.filter(({ documentId }) => allowed.has(documentId))
  const open = ({ key, documentId, no, version, sealed }: StoredFact): OpenedFact => ({
    key,
    documentId,
    no,
    version,
    claim: openClaim(seal, { documentId, no, version, sealed }),
  })
  const fresh = sent.filter(({ isNew }) => isNew)
  // @point comparison.choose-candidates
  const earlier = sent.filter(({ isNew }) => !isNew)
  const titles = new Map(
    [...allowed].map(([id, { sealedCard }]) => [id, openCard(seal, id, sealedCard).name]),
  )
  const met = earlier.length === 0 ? [] : sent.filter(({ compared }) => !compared).map(({ key }) => key)
  const step = {
    fresh: fresh.map(open),
    own: own.map((fact) => ({ ...open(fact), isEarlier: fact.isEarlier })),
    earlier: earlier.map(open),
    titles,
  }
  return { ref, row, seal, step, met, leavesOut }
}

/** Rejects with a `ModelFailure` if the endpoint gave no answer. */
export async function askModelAboutStep(
  deps: ComparisonDeps,
  { ref: { tenantId, scopeId }, step, seal }: LeasedStep,
  signal?: AbortSignal,
): Promise<StepAnswer> {
  return askAboutStep(step, {
    ask: (request, documentIds) => deps.ask({ tenantId, scopeId, documentIds }, request, signal),
    async textOf(version) {
      const sealed = await inTenant(deps.pools.tenant, tenantId, (transaction) =>
        store.selectSealedText(transaction, scopeId, version),
      )
      return sealed && seal.open('text', version.documentId, sealed).toString('utf8')
    },
  })
}

/**
 * `compared`: the step is complete. `declined`: the step is complete, but the model declined to compare some facts.
 * `again`: the model is asked once more. `gone`: the document was replaced or removed, or another worker was faster;
 * nothing is written.
 */
export type StepOutcome = 'compared' | 'declined' | 'again' | 'gone'

export async function completeStep(
  deps: ComparisonDeps,
  taken: LeasedStep,
  answer: StepAnswer,
): Promise<StepOutcome> {
  const { ref, row } = taken
  const isDeclined = answer.declined.length > 0
  if (isDeclined && row.refusals + 1 < MAX_REFUSALS) {
    await postpone(deps, ref, {
      ...row,
      refusals: row.refusals + 1,
      afterMs: stepRetryDelayMs(row.refusals),
    })
    return 'again'
  }
  const isWritten = await inTenant(deps.pools.tenant, ref.tenantId, (transaction) =>
    writeStep(deps, transaction, taken, answer),
  )
  if (!isWritten) return 'gone'
  deps.announceEvents(ref.tenantId, ref.scopeId)
  return isDeclined ? 'declined' : 'compared'
}

async function writeStep(
  deps: ComparisonDeps,
  transaction: TenantTransaction,
  { ref, row, seal, step, met, leavesOut }: LeasedStep,
  { pairs, declined }: StepAnswer,
): Promise<boolean> {
  const { tenantId, scopeId } = ref
  const head = await lockScopeHead(transaction, scopeId)
  if (head?.epoch !== row.epoch) return false
  const refused = new Set(declined)
  const isAnswered = step.fresh.some(({ key }) => !refused.has(key))
  const compared = isAnswered ? met.filter((key) => !refused.has(key)) : []
  if (leavesOut) {
    const hold = { epoch: row.epoch, met: compared, afterMs: LATER_MS }
    const held = await holdComparedStep(transaction, ref, hold)
    if (held === undefined) return false
    if (held === 1) await emitHoldEvent(transaction, head, 'comparison.held', 'not_permitted')
  } else if (!(await store.endStep(transaction, ref, { epoch: row.epoch, declined, met: compared })))
    return false
  const wanted = new Set(pairs.flatMap(({ a, b }) => [a.key, b.key]))
  const witnesses = await store.selectShownWitnesses(transaction, scopeId, [...wanted])
  const findings = pairs.flatMap((pair) => toFinding(seal, pair, witnesses))
  const isStillHeld = leavesOut && row.heldReason === 'not_permitted'
  if (row.heldReason !== null && !isStillHeld) await release(transaction, head, row.heldReason)
  await openFindings(transaction.connection, { tenantId, scopeId, seal }, findings, deps)
  return true
}

/** Wakes all steps that are held for this reason, and emits an event once none is held. */
async function release(
  transaction: TenantTransaction,
  head: ScopeHead,
  reason: store.HoldReason,
): Promise<void> {
  await store.wakeHeldSteps(transaction, head.scopeId, reason)
  if (await store.hasNoHeldSteps(transaction, head.scopeId, reason))
    await emitHoldEvent(transaction, head, 'comparison.released', reason)
}

/** Returns none if one of the facts was removed meanwhile. */
function toFinding(
  seal: ScopeSeal,
  { a, b, verdict, decidedBy }: JudgedPair,
  witnesses: ReadonlyMap<bigint, ShownWitness>,
): RankedFinding[] {
  const [ofA, ofB] = [witnesses.get(a.key), witnesses.get(b.key)]
  const { verdict: relation } = verdict
  if (!ofA || !ofB || relation === 'compatible' || relation === 'unsure') return []
  const { title, severity, confidence, explanation } = verdict
  const before = { relation, rule: decidedBy, title, severity, confidence, explanation, a, b, further: 0 }
  const shown = [
    { key: a.key, ...toPlaced(seal, ofA) },
    { key: b.key, ...toPlaced(seal, ofB) },
  ] as const
  return [showFacts(before, pairKeyOf(seal, a.key, b.key), shown)]
}

function toPlaced(seal: ScopeSeal, { documentId, no, version, sealed }: ShownWitness): PlacedClaim {
  return { documentId, no, version, claim: openClaim(seal, { documentId, no, version, sealed }) }
}

/** Returns the same value for both orders of the pair. */
function pairKeyOf(seal: ScopeSeal, x: bigint, y: bigint): bigint {
  const [low, high] = x < y ? [x, y] : [y, x]
  return rankOf(seal.fingerprint(['facts', String(low), String(high)]))
}

/**
 * Postpones a step without an answer, with backoff and at least as long as the endpoint asks. Holds it if the budget is
 * spent.
 */
export async function deferStep(
  deps: ComparisonDeps,
  { ref, row }: LeasedStep,
  failure: unknown,
): Promise<void> {
  const retryAfterMs = failure instanceof ModelFailure ? failure.retryAfterMs : null
  const afterMs = stepRetryDelayMs(row.failures, retryAfterMs)
  if (failure instanceof ModelFailure && failure.reason === 'over_budget')
    return holdStep(deps, ref, row, { reason: 'over_budget', afterMs })
  // Nothing failed where only the budget is reserved.
  const failures = failure instanceof BudgetReserved ? row.failures : row.failures + 1
  await postpone(deps, ref, { ...row, failures, afterMs })
}

/** Releases the lease of a step without an attempt, so that another worker can take it. */
export async function releaseStep(deps: ComparisonDeps, { ref, row }: LeasedStep): Promise<void> {
  await postpone(deps, ref, { ...row, afterMs: 0 })
}

export async function renewStep(
  { pools, leaseMs }: ComparisonDeps,
  { ref }: Pick<LeasedStep, 'ref'>,
): Promise<void> {
  await inTenant(pools.tenant, ref.tenantId, (transaction) => store.renewStep(transaction, ref, leaseMs))
}

async function postpone(
  { pools }: ComparisonDeps,
  ref: StepRef,
  postponement: store.StepPostponement,
): Promise<void> {
  await inTenant(pools.tenant, ref.tenantId, (transaction) =>
    store.postponeStep(transaction, ref, postponement),
  )
}
