/** Records contradictions that a person or another system reports. */
import type { TenantCaller } from '../../domain/caller.ts'
import type { Severity } from '../../domain/finding.ts'
import { recordConvergence } from '../../store/scopes/convergence.ts'
import { insertReported, selectContradiction } from '../../store/contradictions/contradictions.ts'
import { selectCards, selectDocument } from '../../store/documents/documents.ts'
import type { EventPayloads, NewEvent } from '../../store/scopes/events.ts'
import { appendEvents } from '../../store/scopes/scope-log.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { StoreResult } from '../stored-answers.ts'
import { createRowDecoder, loadRelatedRows } from './contradictions.ts'
import type { FoundContradiction, ReportedContent } from './contradictions.ts'
import { findByName } from '../documents/document-names.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import { inScope, storingResult } from '../scopes/scope-transaction.ts'
import type { ScopeWork, ScopeWriteDeps } from '../scopes/scope-transaction.ts'
import { toUuid } from '../uuids.ts'

export interface ContradictionReport {
  readonly scopeId: string
  readonly a: ReportedStatement
  readonly b: ReportedStatement
  readonly severity: Severity
  readonly note: string | null
}

export interface ReportedStatement {
  readonly claim: string
  /** The id or name of a document. */
  readonly source: string
}

export interface ReportResult {
  readonly contradiction: FoundContradiction
  /** False if the contradiction existed already. The existing one is returned. */
  readonly isNew: boolean
}

/** Records a contradiction. The same pair in either order is the same contradiction. */
export async function reportContradiction(
  deps: ScopeWriteDeps,
  who: TenantCaller,
  report: ContradictionReport,
  keep?: StoreResult<ReportResult>,
): Promise<ReportResult> {
  const { scopeId } = report
  const byName = await findSources(deps, who, report)
  const work: ScopeWork<ReportResult> = async (transaction, head, seal) => {
    const contradictionId = idOf(seal, report)
    const read = () => selectContradiction(transaction, scopeId, contradictionId)
    const known = await read()
    if (!known) {
      const [a, b] = [
        await locateStatement(transaction, scopeId, report.a, byName),
        await locateStatement(transaction, scopeId, report.b, byName),
      ] as const
      const { severity, note } = report
      const documentIds = [a.documentId, b.documentId] as const
      const seq = await appendEvents(transaction, head, [openedEvent(contradictionId, severity, documentIds)])
      const content: ReportedContent = { reporter: who.actor, a: a.content, b: b.content, note }
      await insertReported(transaction, scopeId, {
        contradictionId,
        epoch: head.epoch,
        severity,
        documentIds,
        sealed: seal.seal('contradiction', contradictionId, Buffer.from(JSON.stringify(content))),
        openedSeq: seq,
      })
      await recordConvergence(transaction.connection, [{ tenantId: who.tenantId, scopeId }])
      const { tenantId } = who
      const details = { epoch: head.epoch, seq, severity }
      await recordAudit(transaction.connection, deps.auditor, [
        { action: 'contradiction.reported', who, tenantId, scopeId, subject: contradictionId, details },
      ])
    }
    const row = known ?? (await read())
    if (!row) throw new Error('what was written is not there')
    const open = createRowDecoder(
      who.tenantId,
      scopeId,
      seal,
      await loadRelatedRows(transaction, scopeId, [row]),
    )
    return { contradiction: open(row), isNew: !known }
  }
  return inScope(deps, who, scopeId, storingResult(keep, work))
}

/** Finds the documents that the sources name. This runs before the scope is locked, and only if a source is not an id. */
async function findSources(
  deps: ScopeWriteDeps,
  who: TenantCaller,
  { scopeId, a, b }: ContradictionReport,
): Promise<ReadonlyMap<string, string>> {
  const sources = [a.source, b.source]
  const known = await inTenant(deps.pools.tenant, who.tenantId, async (transaction) => {
    const documents = await selectCards(transaction, scopeId, sources)
    return new Set(documents.map(({ documentId }) => documentId))
  })
  const names = sources.filter((source) => !known.has(source))
  return names.length === 0 ? new Map() : findByName(deps, who, scopeId, names)
}

/** Adds the document that the source names, by id or by name, if there is one. */
async function locateStatement(
  transaction: TenantTransaction,
  scopeId: string,
  { claim, source }: ReportedStatement,
  byName: ReadonlyMap<string, string>,
): Promise<{ readonly documentId: string | null; readonly content: ReportedContent['a'] }> {
  const documentId = byName.get(source) ?? source
  const document = await selectDocument(transaction, scopeId, documentId)
  const isThere = document !== undefined && document.status !== 'removed'
  return {
    documentId: isThere ? documentId : null,
    content: { claim, source, version: isThere && document.version > 0 ? document.version : null },
  }
}

function openedEvent(
  contradictionId: string,
  severity: Severity,
  documentIds: readonly (string | null)[],
): NewEvent {
  const data: EventPayloads['contradiction.opened'] = {
    contradiction_id: contradictionId,
    relation: 'conflict',
    kind: 'reported',
    severity,
    document_ids: documentIds.filter((id) => id !== null),
    internal: documentIds[0] !== null && documentIds[0] === documentIds[1],
  }
  return { kind: 'contradiction.opened', documentId: null, version: null, data }
}

function idOf(seal: ScopeSeal, { scopeId, a, b }: ContradictionReport): string {
  const sides = [a, b].map(({ claim, source }) => JSON.stringify([claim, source])).toSorted()
  return toUuid(seal.fingerprint(['reported', scopeId, ...sides]))
}
