/**
 * Computes the outcome of a comparison: new, changed, withdrawn, reopened and resolved findings, and their events. A
 * finding is the same as an earlier one if its group, both values and the relation are the same.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { EventData } from '@concord/contract'
import { statusAfter } from '../../domain/resolution.ts'
import type { Holds } from '../../domain/resolution.ts'
import { rankOf } from '../../platform/fingerprint.ts'
import type { KnownFinding } from '../../store/comparing/comparison.ts'
import type {
  ChangedFinding,
  OpenedFinding,
  ComparisonOutcome,
  ReopenedFinding,
  RuledFinding,
} from '../../store/comparing/comparison-outcome.ts'
import type { ContradictionStatus } from '../../store/contradictions/contradictions.ts'
import type { NewEvent } from '../../store/scopes/events.ts'
import type { StoredVerdict } from '../../store/contradictions/verdicts.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import { toUuid } from '../uuids.ts'
import { comparedClaims } from './compared-claims.ts'
import { changedCuts } from './cuts.ts'
import { showDismissed, unreviewedDocuments } from './dismissals.ts'
import { evidenceAgainst, createNewStatementCheck } from './evidence.ts'
import type { NamedFinding } from './findings.ts'
import type { RankedFinding } from './group-memo.ts'
import { createKeepCheck } from './kept-findings.ts'
import type { Plan } from './plan.ts'
import { holdingSideOf } from './rulings.ts'
import type { Ruling } from './rulings.ts'

/** Caches the id and fingerprint of each finding, which depend only on the finding and its scope. */
const NAMES = new WeakMap<RankedFinding, NamedFinding>()

export function nameFindings(plan: Plan, findings: readonly RankedFinding[]): NamedFinding[] {
  return findings.map((found) => {
    const name = NAMES.get(found) ?? nameFinding(plan, found)
    NAMES.set(found, name)
    return name
  })
}

function nameFinding({ change: { scopeId, seal } }: Plan, found: RankedFinding): NamedFinding {
  const body = JSON.stringify(found.finding)
  const sides = sidesOf(found)
  const restating = found.restatedBy === null ? [] : [found.restatedBy]
  const parts = ['finding', body, JSON.stringify(sides), ...restating]
  return {
    ...found,
    id: idOf(seal, scopeId, found),
    body,
    sides,
    fingerprint: rankOf(seal.fingerprint(parts)),
  }
}

/**
 * Returns the findings whose earlier decisions must be loaded: resolved ones, new ones, which may have existed before, and
 * changed ones that were dismissed or that a policy may resolve.
 */
export function idsNeedingDecisions(
  findings: readonly NamedFinding[],
  known: readonly KnownFinding[],
): string[] {
  const before = new Map(known.map((finding) => [finding.id, finding]))
  const needsDecision = (found: NamedFinding) => {
    const old = before.get(found.id)
    if (!old || old.status === 'resolved') return true
    if (old.fingerprint === found.fingerprint) return false
    return old.status === 'dismissed' || holdingSideOf(found) !== null
  }
  return findings.filter(needsDecision).map(({ id }) => id)
}

export interface FindingDecisions {
  readonly verdicts: ReadonlyMap<string, StoredVerdict>
  /** The decisions of the present policies, if they differ from the earlier ones. */
  readonly rulings: ReadonlyMap<string, Ruling>
}

export function outcomeOf(
  plan: Plan,
  named: readonly NamedFinding[],
  known: readonly KnownFinding[],
  { verdicts, rulings }: FindingDecisions,
  omitted: ReadonlyMap<bigint, number>,
): ComparisonOutcome {
  const { tenantId, scopeId, seal } = plan.change
  const before = new Map(known.map((finding) => [finding.id, finding]))
  const findings = named.map((found) =>
    showDismissed(found, verdicts.get(found.id), (shown) => nameFinding(plan, shown)),
  )
  const evidence = findEvidence(plan, findings, before, verdicts)
  const events: NewEvent[] = extractedEvents(plan)
  const changed: ChangedFinding[] = []
  const opened: OpenedFinding[] = []
  for (const found of findings) {
    const { id, finding, group, body, sides, fingerprint } = found
    const old = before.get(id)
    before.delete(id)
    if (old?.fingerprint === fingerprint) continue
    const row = {
      ...toRow(found),
      sides,
      fingerprint,
      sealed: seal.seal('contradiction', id, Buffer.from(body)),
    }
    if (old) {
      // @point certificate.changed-finding
      events.push(changedEvent({ ...finding, ...row }))
      changed.push(row)
    } else {
      const status = evidence.has(id) || rulings.has(id) ? 'open' : statusOf(verdicts.get(id))
      events.push(openedEvent({ ...finding, ...row, status }))
      opened.push({ ...row, group, relation: finding.relation, status, event: events.length })
    }
  }
  const reopened: ReopenedFinding[] = []
  for (const [id, documentIds] of evidence) {
    const decisionId = randomUUIDv7()
    events.push(decisionEvent({ id, decisionId, decidedBy: 'evidence', holds: null }))
    reopened.push({ id, decisionId, documentIds, event: events.length })
  }
  const ruled = findings.flatMap((found) => toRuled(found, rulings.get(found.id), events))
  const staysFound = createKeepCheck(plan, omitted)
  const withdrawn = [...before.values()].filter((finding) => !staysFound(finding))
  for (const gone of withdrawn) events.push(withdrawnEvent(plan, gone))
  return {
    tenantId,
    scopeId,
    epoch: seal.epoch,
    replaced: plan.replaced,
    ...comparedClaims(plan),
    cuts: changedCuts(plan, omitted),
    withdrawn: withdrawn.map(({ id }) => id),
    changed,
    opened,
    reopened,
    ruled,
    events,
  }
}

/** Returns the row of a policy's decision and appends its event. */
function toRuled(
  { id, finding: { a, b } }: NamedFinding,
  ruling: Ruling | undefined,
  events: NewEvent[],
): RuledFinding[] {
  if (!ruling) return []
  const decisionId = randomUUIDv7()
  const { result, holds } = ruling
  events.push(decisionEvent({ id, decisionId, decidedBy: 'policy', holds }))
  const status = statusAfter(result)
  const documentIds = [a.documentId, b.documentId]
  return [{ ...ruling, status, id, decisionId, documentIds, event: events.length }]
}

/** Maps each contradiction that is reopened to the documents that are the reason. */
function findEvidence(
  plan: Plan,
  findings: readonly NamedFinding[],
  before: ReadonlyMap<string, KnownFinding>,
  verdicts: ReadonlyMap<string, StoredVerdict>,
): Map<string, readonly string[]> {
  const evidence = new Map<string, readonly string[]>()
  for (const found of findings) {
    const unreviewed = unreviewedDocuments(found, verdicts.get(found.id))
    if (unreviewed.length > 0) evidence.set(found.id, unreviewed)
  }
  // Contradictions that a policy resolved are left out, because the policy is evaluated again.
  const resolved = findings.filter(({ id }) => {
    const verdict = verdicts.get(id)
    return verdict?.result === 'resolved' && verdict.decidedBy !== 'policy'
  })
  if (resolved.length === 0) return evidence
  const isNew = createNewStatementCheck(plan)
  const isDismissed = (id: string) =>
    !evidence.has(id) && (before.get(id)?.status ?? statusOf(verdicts.get(id))) === 'dismissed'
  for (const found of resolved) {
    const verdict = verdicts.get(found.id)
    const others = findings.filter(
      ({ id, group }) => group === found.group && id !== found.id && !isDismissed(id),
    )
    const documentIds = verdict ? evidenceAgainst(verdict, found, others, isNew) : []
    if (documentIds.length > 0) evidence.set(found.id, documentIds)
  }
  return evidence
}

/** Returns the status of a finding that is found again: the last decision still applies. */
function statusOf(verdict: StoredVerdict | undefined): ContradictionStatus {
  return verdict === undefined || verdict.result === 'reopened' ? 'open' : verdict.result
}

function sidesOf({ pairs }: RankedFinding): [string[], string[]] {
  const documentsOn = (side: 0 | 1) => [...new Set(pairs.map((pair) => pair[side].documentId))].toSorted()
  return [documentsOn(0), documentsOn(1)]
}

function extractedEvents({ claims }: Plan): NewEvent[] {
  const byDocument = Map.groupBy(claims, ({ documentId }) => documentId)
  return [...byDocument].map(([documentId, own]) => ({
    kind: 'claims.extracted',
    documentId,
    version: own[0]?.version ?? 0,
    data: { claims: own.length },
  }))
}

type WithdrawalReason = EventData<'contradiction.withdrawn'>['reason']

type FindingSummary = Pick<KnownFinding, 'id' | 'relation' | 'kind' | 'severity' | 'documentIds'>

function findingData({ id, relation, kind, severity, documentIds }: FindingSummary) {
  return { contradiction_id: id, relation, kind, severity, document_ids: documentIds }
}

function openedEvent(finding: FindingSummary & Pick<KnownFinding, 'status'>): NewEvent {
  const { status, documentIds } = finding
  const internal = documentIds[0] === documentIds[1]
  const data = { ...findingData(finding), internal, ...(status !== 'open' && { status }) }
  return { kind: 'contradiction.opened', documentId: null, version: null, data }
}

function changedEvent(finding: FindingSummary): NewEvent {
  return { kind: 'contradiction.changed', documentId: null, version: null, data: findingData(finding) }
}

function withdrawnEvent(plan: Plan, finding: FindingSummary): NewEvent {
  const data = { ...findingData(finding), reason: reasonOf(plan, finding) }
  return { kind: 'contradiction.withdrawn', documentId: null, version: null, data }
}

/** If neither document of the finding changed, other claims of its group outrank them. */
function reasonOf({ change: { documents } }: Plan, { documentIds }: FindingSummary): WithdrawalReason {
  const changed = documents.filter(({ documentId }) => documentIds.includes(documentId))
  if (changed.length === 0) return 'outranked'
  return changed.some(({ isRemoved }) => isRemoved) ? 'removed' : 'replaced'
}

interface DecisionSummary {
  readonly id: string
  readonly decisionId: string
  readonly decidedBy: 'evidence' | 'policy'
  /** Null if the contradiction is reopened. */
  readonly holds: Holds | null
}

function decisionEvent({ id, decisionId, decidedBy, holds }: DecisionSummary): NewEvent {
  const data = { contradiction_id: id, decision_id: decisionId, decided_by: decidedBy }
  const nowhere = { documentId: null, version: null } as const
  return holds === null
    ? { kind: 'contradiction.reopened', ...nowhere, data }
    : { kind: 'contradiction.resolved', ...nowhere, data: { ...data, holds } }
}

function toRow({ id, values, finding: { kind, severity, confidence, a, b } }: NamedFinding) {
  const documentIds = [a.documentId, b.documentId] as const
  return { id, kind, severity, confidence, documentIds, claims: [a.no, b.no] as const, values }
}

/** Computes the id. A finding that is found again has the same id, even after it was withdrawn. */
function idOf(seal: ScopeSeal, scopeId: string, { group, values: [a, b], finding }: RankedFinding): string {
  const [low, high] = a < b ? [a, b] : [b, a]
  const parts = ['contradiction', scopeId, group, low, high, finding.relation].map(String)
  return toUuid(seal.fingerprint(parts))
}
