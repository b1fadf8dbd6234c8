/**
 * Compares the claims of a scope when the claims of documents change, by a reading or a removal. Only groups whose representatives
 * change are compared, each as a whole, so the findings depend on the present claims and not on the order in which they arrived.
 * The transaction locks the head of the scope, so it computes little: larger comparisons are made before it
 * (comparing/precomputation.ts) and looked up in a memo here.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_STEP_SIZE } from '../../domain/comparison-step.ts'
import { MAX_PER_GROUP, MAX_PER_VALUE } from '../../domain/representatives.ts'
import { openComparison, readComparison, selectFindingsOfDocument } from '../../store/comparing/comparison.ts'
import type { ComparisonContent, KnownFinding, OpenedComparison } from '../../store/comparing/comparison.ts'
import { closeComparison } from '../../store/comparing/comparison-outcome.ts'
import { leaveGroups } from '../../store/comparing/comparison-steps.ts'
import { recordConvergence } from '../../store/scopes/convergence.ts'
import type { PoolConnection, Pool } from '../../store/pools.ts'
import { inService } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { readVerdicts } from '../../store/contradictions/verdicts.ts'
import type { Auditor } from '../audit/audit.ts'
import { findAll } from './findings.ts'
import type { NamedFinding } from './findings.ts'
import { createOpenedClaims } from './opened-claims.ts'
import type { OpenedClaims } from './opened-claims.ts'
import { createGroupMemo } from './group-memo.ts'
import type { GroupMemo, RankedFinding } from './group-memo.ts'
import { groupsToReview } from './kept-findings.ts'
import { idsNeedingDecisions, nameFindings, outcomeOf } from './outcome.ts'
import type { FindingDecisions } from './outcome.ts'
import { fileFacts } from './facts.ts'
import { applyVerdicts, precomputeVerdicts } from './open-pairs.ts'
import type { ComparedScope } from './open-pairs.ts'
import { planOf, createEmptyPlan, requestedGroups } from './plan.ts'
import type { Plan, ScopeChange } from './plan.ts'
import { evaluatePolicies, selectUndecided } from './rulings.ts'
import { createClaimLoader } from './claim-loader.ts'
import type { ClaimLoader, OnCompareError } from './claim-loader.ts'
import type { Policies } from '../access/policies.ts'
import { recordRulings } from '../contradictions/shared-decisions.ts'

export { createGroupMemo, createOpenedClaims }
export type { GroupMemo, OpenedClaims, ScopeChange, OnCompareError }

/** The time after which the event loop gets a turn. */
const TURN_MS = 8

export interface CompareDeps {
  readonly policies: Policies
  readonly auditor: Auditor
  readonly onCompareError?: OnCompareError | undefined
  /** A cache of decrypted claims, for processes that compare repeatedly. */
  readonly opened?: OpenedClaims
  /** The results of groups that were compared before the transaction began. */
  readonly memo?: GroupMemo
  /** The maximum work of a transaction, in pairs of claims. Default: no limit. */
  readonly maxWork?: number
}

/** Thrown before anything is compared, if the comparison has to be made outside the transaction first. */
export class WorkLimitExceeded extends Error {
  readonly scopes: readonly Pick<ScopeChange, 'tenantId' | 'scopeId'>[]

  constructor(scopes: WorkLimitExceeded['scopes']) {
    super('the comparison is too much work for a transaction')
    this.scopes = scopes
  }
}

/** Returns the fewest scopes whose removal brings the work below the limit. */
function heaviestOf(works: readonly ComparisonWork[], maxWork: number): ScopeChange[] {
  const byWork = works.toSorted((a, b) => b.loader.work - a.loader.work)
  const light = byWork.findIndex((_, index) => workOf(byWork.slice(index)) <= maxWork)
  return byWork.slice(0, light === -1 ? byWork.length : light).map(({ plan }) => plan.change)
}

interface ComparisonWork {
  readonly plan: Plan
  readonly loader: ClaimLoader
}

function workOf(works: readonly ComparisonWork[]): number {
  return works.reduce((total, { loader }) => total + loader.work, 0)
}

const REPRESENTED = { ofValue: MAX_PER_VALUE, ofGroup: MAX_PER_GROUP }

/** Loads the data of the scopes that the changes affect. */
export async function loadChanges(
  connection: PoolConnection,
  changes: readonly ScopeChange[],
): Promise<readonly OpenedComparison[]> {
  return changes.length === 0 ? [] : openComparison(connection, changes.map(toQuestion), REPRESENTED)
}

/** Compares the changes, writes the findings and emits the convergence of the scopes. */
export async function compareClaims(
  connection: PoolConnection,
  changes: readonly ScopeChange[],
  deps: CompareDeps,
  known?: readonly OpenedComparison[],
): Promise<void> {
  const openings = known ?? (await loadChanges(connection, changes))
  // @point comparison.compare
  const compared = await compareChanged(connection, { changes, openings }, deps)
  await recordConvergence(
    connection,
    changes.filter((change) => !compared.has(change)),
  )
}

/** Returns the changes that altered the scope. Their events are appended. */
async function compareChanged(
  connection: PoolConnection,
  changed: OpenedChanges,
  deps: CompareDeps,
): Promise<ReadonlySet<ScopeChange>> {
  const { policies, auditor, maxWork = Infinity } = deps
  const tools = toolsOf(deps)
  const works = worksOf(changed, tools)
  if (works.length === 0) return new Set()
  if (workOf(works) > maxWork) throw new WorkLimitExceeded(heaviestOf(works, maxWork))
  const contents = await readComparison(connection, works.map(toContentQuestion))
  const compared = await compareWorks(works, contents, tools)
  const found = (await applyVerdicts(connection, compared)).map(nameAll)
  const filed = await fileFacts(connection, found, tools.onCompareError)
  const decided = await decideOn(connection, policies, filed)
  const outcomes = filed.map(({ plan, findings, known, omitted }, index) =>
    outcomeOf(plan, findings, known, decided[index] ?? NOTHING_DECIDED, omitted),
  )
  // @point comparison.write
  await closeComparison(connection, outcomes)
  await recordRulings(connection, auditor, outcomes)
  return new Set(filed.map(({ plan }) => plan.change))
}

/**
 * Compares the groups that the changes would affect now and stores the results in the memo. It writes nothing and holds
 * no transaction while it computes.
 */
export async function precomputeChanges(
  pool: Pool,
  changes: readonly ScopeChange[],
  deps: CompareDeps & { readonly memo: GroupMemo },
): Promise<void> {
  if (changes.length === 0) return
  const openings = await inService(pool, (connection) => loadChanges(connection, changes))
  const tools = toolsOf(deps)
  const works = worksOf({ changes, openings }, tools)
  const questions = works.map((work) => ({ ...toContentQuestion(work), groups: [] }))
  const contents = await inService(pool, (connection) => readComparison(connection, questions))
  const compared = await compareWorks(works, contents, tools)
  // Computes the ids now, so that the transaction finds them in the cache.
  for (const each of compared) nameAll(each)
  if (compared.some(({ open }) => open.length > 0))
    await inService(pool, (connection) => precomputeVerdicts(connection, compared))
}

/**
 * Deletes the claims of a removed document and their findings, and leaves their groups to comparison steps. Emits the
 * convergence of the scope. The caller must hold the lock of the scope's head.
 */
export async function removeFromComparison(
  transaction: TenantTransaction,
  { scopeId, seal }: Pick<ScopeChange, 'scopeId' | 'seal'>,
  documentId: string,
  { policies, auditor, onCompareError = () => undefined }: CompareDeps,
): Promise<void> {
  const { connection, tenantId } = transaction
  const change = { tenantId, scopeId, seal, documents: [{ documentId, claims: [], isRemoved: true }] }
  const known = await selectFindingsOfDocument(transaction, scopeId, documentId)
  const { epoch } = seal
  const hasFacts = await leaveGroups(transaction, { scopeId, epoch }, documentId, MAX_STEP_SIZE)
  const plan = { ...createEmptyPlan(change), replaced: [documentId], hasFacts }
  const nothing = { plan, findings: [], known, omitted: new Map() }
  const filed = await fileFacts(connection, [nothing], onCompareError)
  const decided = await decideOn(connection, policies, filed)
  const outcomes = filed.map(({ findings, known: before, omitted }, index) =>
    outcomeOf(plan, findings, before, decided[index] ?? NOTHING_DECIDED, omitted),
  )
  await closeComparison(connection, outcomes)
  await recordRulings(connection, auditor, outcomes)
}

interface OpenedChanges {
  readonly changes: readonly ScopeChange[]
  readonly openings: readonly OpenedComparison[]
}

type Tools = ReturnType<typeof toolsOf>

function toolsOf({
  onCompareError = () => undefined,
  opened = createOpenedClaims(),
  memo = createGroupMemo(),
}: CompareDeps) {
  return { onCompareError, opened, memo }
}

function worksOf(
  { changes, openings }: OpenedChanges,
  { opened, onCompareError, memo }: Tools,
): ComparisonWork[] {
  return changes
    .flatMap((change, index) => planOf(change, openings[index]))
    .map((plan) => ({ plan, loader: createClaimLoader(plan, opened, onCompareError, memo) }))
}

async function compareWorks(
  works: readonly ComparisonWork[],
  contents: readonly ComparisonContent[],
  { opened, onCompareError, memo }: Tools,
): Promise<ComparedScope[]> {
  const pause = createPauses()
  const compared: ComparedScope[] = []
  for (const [index, { plan, loader }] of works.entries()) {
    const { claims, findings: known } = contents[index] ?? { claims: [], findings: [] }
    loader.fill(claims)
    const context = { loader, memo, memory: opened.memory, onCompareError, pause }
    // oxlint-disable-next-line no-await-in-loop -- a turn for others now and then
    compared.push({ plan, context, known, ...(await findAll(plan, context)) })
  }
  return compared
}

/**
 * Opens findings about pairs of facts, each pair once, and emits the convergence of the scope. No claim changes. The caller must
 * hold the lock of the scope's head.
 */
export async function openFindings(
  connection: PoolConnection,
  { tenantId, scopeId, seal }: Omit<ScopeChange, 'documents'>,
  findings: readonly RankedFinding[],
  { policies, auditor }: Pick<CompareDeps, 'policies' | 'auditor'>,
): Promise<void> {
  const change = { tenantId, scopeId, seal, documents: [] }
  const groups = findings.map(({ group }) => group)
  const [content] = await readComparison(connection, [{ tenantId, scopeId, claims: [], groups }])
  const open = new Set(content?.findings.map(({ group }) => group))
  const fresh = new Map(findings.filter(({ group }) => !open.has(group)).map((each) => [each.group, each]))
  if (fresh.size === 0) return recordConvergence(connection, [change])
  const plan = createEmptyPlan(change)
  const found = { plan, findings: nameFindings(plan, [...fresh.values()]), known: [], omitted: new Map() }
  const [decided = NOTHING_DECIDED] = await decideOn(connection, policies, [found])
  const outcome = outcomeOf(plan, found.findings, [], decided, found.omitted)
  await closeComparison(connection, [outcome])
  await recordRulings(connection, auditor, [outcome])
}

const NOTHING_DECIDED: FindingDecisions = { verdicts: new Map(), rulings: new Map() }

/** Loads earlier decisions, and evaluates policies for new or changed findings. */
async function decideOn(
  connection: PoolConnection,
  policies: Policies,
  found: readonly ComparedFindings[],
): Promise<FindingDecisions[]> {
  const answers = await readVerdicts(connection, found.map(toVerdictQuestion))
  const decided: FindingDecisions[] = []
  for (const [index, { plan, findings, known }] of found.entries()) {
    const { of: verdicts, policyChanges } = answers[index] ?? { of: new Map(), policyChanges: 0 }
    const undecided = selectUndecided(findings, known, verdicts)
    if (undecided.length === 0) {
      decided.push({ verdicts, rulings: NOTHING_DECIDED.rulings })
      continue
    }
    const { change } = plan
    // oxlint-disable-next-line no-await-in-loop -- one connection, and mostly nothing is read
    const set = await policies.within(connection, change, policyChanges)
    decided.push({ verdicts, rulings: evaluatePolicies(change, set, undecided, verdicts) })
  }
  return decided
}

interface ComparedFindings {
  readonly plan: Plan
  readonly findings: readonly NamedFinding[]
  /** The findings before this change. */
  readonly known: readonly KnownFinding[]
  /** The number of findings per group beyond those that are kept. */
  readonly omitted: ReadonlyMap<bigint, number>
}

function nameAll({ plan, findings, known, omitted }: ComparedScope): ComparedFindings {
  return { plan, findings: nameFindings(plan, findings), known, omitted }
}

function toVerdictQuestion({ plan: { change }, findings, known }: ComparedFindings) {
  const { tenantId, scopeId } = change
  return { tenantId, scopeId, contradictionIds: idsNeedingDecisions(findings, known) }
}

function toQuestion(change: ScopeChange) {
  const { tenantId, scopeId, documents } = change
  const ids = documents.map(({ documentId }) => documentId)
  return { tenantId, scopeId, documents: ids, groups: requestedGroups(change) }
}

function toContentQuestion({ plan, loader }: ComparisonWork) {
  const { tenantId, scopeId } = plan.change
  return { tenantId, scopeId, claims: loader.missing, groups: groupsToReview(plan) }
}

function createPauses(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  return () => {
    if (performance.now() - sinceMs < TURN_MS) return undefined
    return nextTurn().then(() => void (sinceMs = performance.now()))
  }
}
