/**
 * The result of a comparison: which findings are new, which say something else than before, which hold no longer, and the
 * events that tell of it. A finding is the same as one of before where group, both values and relation are.
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
import { showDismissed, unseenDocuments } from './dismissals.ts'
import { evidenceAgainst, newsOf } from './evidence.ts'
import type { NamedFinding } from './findings.ts'
import type { PlacedFinding } from './group-memo.ts'
import { createKeeping } from './kept-findings.ts'
import type { Plan } from './plan.ts'
import { holdsIn } from './rulings.ts'
import type { Ruling } from './rulings.ts'

/** A finding is named once: its name follows from what it says and where. */
const NAMES = new WeakMap<PlacedFinding, NamedFinding>()

export function nameFindings(plan: Plan, findings: readonly PlacedFinding[]): NamedFinding[] {
  return findings.map((found) => {
    const name = NAMES.get(found) ?? nameFinding(plan, found)
    NAMES.set(found, name)
    return name
  })
}

function nameFinding({ change: { scopeId, seal } }: Plan, found: PlacedFinding): NamedFinding {
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
 * The findings whose earlier decisions matter: those that were resolved, those that may have been there before, and those that say something
 * else now, where they were dismissed or a policy may settle them.
 */
export function debatedIds(findings: readonly NamedFinding[], known: readonly KnownFinding[]): string[] {
  const before = new Map(known.map((finding) => [finding.id, finding]))
  const isDebated = (found: NamedFinding) => {
    const old = before.get(found.id)
    if (!old || old.status === 'resolved') return true
    if (old.fingerprint === found.fingerprint) return false
    return old.status === 'dismissed' || holdsIn(found) !== null
  }
  return findings.filter(isDebated).map(({ id }) => id)
}

export interface Decided {
  readonly verdicts: ReadonlyMap<string, StoredVerdict>
  /** The present answers of policies, where that is something else. */
  readonly rulings: ReadonlyMap<string, Ruling>
}

export function outcomeOf(
  plan: Plan,
  named: readonly NamedFinding[],
  known: readonly KnownFinding[],
  { verdicts, rulings }: Decided,
  untold: ReadonlyMap<bigint, number>,
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
  const staysFound = createKeeping(plan, untold)
  const withdrawn = [...before.values()].filter((finding) => !staysFound(finding))
  for (const gone of withdrawn) events.push(withdrawnEvent(plan, gone))
  return {
    tenantId,
    scopeId,
    epoch: seal.epoch,
    replaced: plan.replaced,
    ...comparedClaims(plan),
    cuts: changedCuts(plan, untold),
    withdrawn: withdrawn.map(({ id }) => id),
    changed,
    opened,
    reopened,
    ruled,
    events,
  }
}

/** Adds the event that tells of it. */
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

/** By contradiction: the documents because of which it is open again. */
function findEvidence(
  plan: Plan,
  findings: readonly NamedFinding[],
  before: ReadonlyMap<string, KnownFinding>,
  verdicts: ReadonlyMap<string, StoredVerdict>,
): Map<string, readonly string[]> {
  const evidence = new Map<string, readonly string[]>()
  for (const found of findings) {
    const unseen = unseenDocuments(found, verdicts.get(found.id))
    if (unseen.length > 0) evidence.set(found.id, unseen)
  }
  // A policy looks again by itself at what it has settled.
  const resolved = findings.filter(({ id }) => {
    const verdict = verdicts.get(id)
    return verdict?.result === 'resolved' && verdict.decidedBy !== 'policy'
  })
  if (resolved.length === 0) return evidence
  const isNews = newsOf(plan)
  const isDismissed = (id: string) =>
    !evidence.has(id) && (before.get(id)?.status ?? statusOf(verdicts.get(id))) === 'dismissed'
  for (const found of resolved) {
    const verdict = verdicts.get(found.id)
    const others = findings.filter(
      ({ id, group }) => group === found.group && id !== found.id && !isDismissed(id),
    )
    const documentIds = verdict ? evidenceAgainst(verdict, found, others, isNews) : []
    if (documentIds.length > 0) evidence.set(found.id, documentIds)
  }
  return evidence
}

/** Found again, it is what was decided of it last. */
function statusOf(verdict: StoredVerdict | undefined): ContradictionStatus {
  return verdict === undefined || verdict.result === 'reopened' ? 'open' : verdict.result
}

function sidesOf({ pairs }: PlacedFinding): [string[], string[]] {
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

type ToldFinding = Pick<KnownFinding, 'id' | 'relation' | 'kind' | 'severity' | 'documentIds'>

function findingData({ id, relation, kind, severity, documentIds }: ToldFinding) {
  return { contradiction_id: id, relation, kind, severity, document_ids: documentIds }
}

function openedEvent(finding: ToldFinding & Pick<KnownFinding, 'status'>): NewEvent {
  const { status, documentIds } = finding
  const internal = documentIds[0] === documentIds[1]
  const data = { ...findingData(finding), internal, ...(status !== 'open' && { status }) }
  return { kind: 'contradiction.opened', documentId: null, version: null, data }
}

function changedEvent(finding: ToldFinding): NewEvent {
  return { kind: 'contradiction.changed', documentId: null, version: null, data: findingData(finding) }
}

function withdrawnEvent(plan: Plan, finding: ToldFinding): NewEvent {
  const data = { ...findingData(finding), reason: reasonOf(plan, finding) }
  return { kind: 'contradiction.withdrawn', documentId: null, version: null, data }
}

/** Where neither document of it changed, the rest of a group that is compared completely says something else of both. */
function reasonOf({ change: { documents } }: Plan, { documentIds }: ToldFinding): WithdrawalReason {
  const changed = documents.filter(({ documentId }) => documentIds.includes(documentId))
  if (changed.length === 0) return 'outranked'
  return changed.some(({ isRemoved }) => isRemoved) ? 'removed' : 'replaced'
}

interface ToldDecision {
  readonly id: string
  readonly decisionId: string
  readonly decidedBy: 'evidence' | 'policy'
  /** Null where it is open again. */
  readonly holds: Holds | null
}

function decisionEvent({ id, decisionId, decidedBy, holds }: ToldDecision): NewEvent {
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

/** Found again, it has the same name, also after it was withdrawn. */
function idOf(seal: ScopeSeal, scopeId: string, { group, values: [a, b], finding }: PlacedFinding): string {
  const [low, high] = a < b ? [a, b] : [b, a]
  const parts = ['contradiction', scopeId, group, low, high, finding.relation].map(String)
  return toUuid(seal.fingerprint(parts))
}
