/**
 * What a comparison amounts to: which findings are new, which say something else than before, which hold no longer, and the
 * events that tell of it. A finding is the same as one of before where group, both values and relation are.
 */
import type { Finding } from '../../domain/finding.ts'
import { rankOf } from '../../platform/fingerprint.ts'
import type { ChangedFinding, KnownFinding, OpenedFinding, Outcome } from '../../store/comparing.ts'
import type { NewEvent } from '../../store/scope-log.ts'
import type { ScopeSeal } from '../scope-seals.ts'
import type { PlacedFinding } from './findings.ts'
import type { Plan } from './plan.ts'

export function outcomeOf(
  plan: Plan,
  findings: readonly PlacedFinding[],
  known: readonly KnownFinding[],
): Outcome {
  const { tenantId, scopeId, seal } = plan.change
  const before = new Map(known.map((finding) => [finding.id, finding]))
  const events: NewEvent[] = extractedEvents(plan)
  const changed: ChangedFinding[] = []
  const opened: OpenedFinding[] = []
  for (const found of findings) {
    const id = idOf(seal, scopeId, found)
    const old = before.get(id)
    before.delete(id)
    const body = JSON.stringify(found.finding)
    const print = rankOf(seal.print(['finding', body]))
    if (old?.print === print) continue
    const row = toRow(id, found.finding, print, seal.seal('contradiction', id, Buffer.from(body)))
    if (old) changed.push(row)
    else {
      events.push(eventOf('contradiction.opened', { ...found.finding, ...row }))
      opened.push({ ...row, group: found.group, relation: found.finding.relation, event: events.length })
    }
  }
  for (const gone of before.values()) events.push(eventOf('contradiction.withdrawn', gone))
  return {
    tenantId,
    scopeId,
    epoch: seal.epoch,
    replaced: plan.replaced,
    claims: plan.claims,
    withdrawn: [...before.keys()],
    changed,
    opened,
    events,
  }
}

function extractedEvents({ claims }: Plan): NewEvent[] {
  const byDocument = Map.groupBy(claims, ({ documentId }) => documentId)
  return [...byDocument].map(([documentId, own]) => ({
    kind: 'claims.extracted',
    documentId,
    version: own[0]?.version ?? null,
    data: { claims: own.length },
  }))
}

function eventOf(
  kind: 'contradiction.opened' | 'contradiction.withdrawn',
  finding: Pick<KnownFinding, 'id' | 'relation' | 'kind' | 'severity' | 'documentIds'>,
): NewEvent {
  const data = {
    contradiction_id: finding.id,
    relation: finding.relation,
    kind: finding.kind,
    severity: finding.severity,
    document_ids: finding.documentIds,
  }
  return { kind, documentId: null, version: null, data }
}

function toRow(id: string, { kind, severity, confidence, a, b }: Finding, print: bigint, sealed: Buffer) {
  return { id, kind, severity, confidence, documentIds: [a.documentId, b.documentId], print, sealed } as const
}

/** Found again, it has the same name, also after it was withdrawn. */
function idOf(seal: ScopeSeal, scopeId: string, { group, values: [a, b], finding }: PlacedFinding): string {
  const [low, high] = a < b ? [a, b] : [b, a]
  const parts = ['contradiction', scopeId, group, low, high, finding.relation].map(String)
  const hex = seal.print(parts).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
