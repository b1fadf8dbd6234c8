/** `concord contradictions`. */
import { listContradictions } from '../app/contradictions/contradictions.ts'
import type { FoundContradiction } from '../app/contradictions/contradictions.ts'
import type { Decision } from '../app/contradictions/decisions.ts'
import type { Outcome } from '../domain/resolution.ts'
import { actFor } from './acting.ts'
import { aboutOf, describeContradiction, describeHistory } from './contradiction-view.ts'
import type { WithOperator } from './operator.ts'
import { oneLine, printJson, printTable, shorten } from '@concord/cli/terminal'
import type { Cell } from '@concord/cli/terminal'
import { everyPage } from './pages.ts'
import { requireId, settleOne, withHistory } from './resolving.ts'
import type { PlaceOption, ResolutionOptions } from './resolving.ts'

type ListFilter = Parameters<typeof listContradictions>[3]

interface FilterOptions extends PlaceOption {
  readonly status?: ListFilter['statuses']
  readonly severity?: ListFilter['severities']
  readonly relation?: ListFilter['relation']
  readonly kind?: ListFilter['kind']
  readonly document?: string
}

/** The actions of the operator for commands that tenants have too. */
interface ContradictionActions {
  list(options: FilterOptions): Promise<void>
  show(contradictionId: string, options: PlaceOption): Promise<void>
  settle(outcome: Outcome, contradictionId: string, options: ResolutionOptions): Promise<void>
}

/** Implements `concord contradictions` for a named tenant. */
export function operatorContradictions(withOperator: WithOperator): ContradictionActions {
  return {
    list: (options) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        const { scope, document, ...filter } = options
        const wanted = {
          statuses: filter.status,
          severities: filter.severity,
          relation: filter.relation,
          kind: filter.kind,
          documentId: document,
          order: 'severity' as const,
        }
        const found = await everyPage((page) =>
          listContradictions(operator, who, scope, { ...page, ...wanted }),
        )
        const rows = found.map(toRow)
        printTable(options.json ? rows : rows.map(toShortRow), options)
      }),
    show: (contradictionId, options) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        const { found, history } = await withHistory(operator, who, options.scope, requireId(contradictionId))
        if (options.json)
          return printJson({ ...toRow(found), ...toDetail(found), history: history.map(toHistoryRow) })
        const width = process.stdout.columns ?? DEFAULT_WIDTH
        const lines = [...describeContradiction(found, width), ...describeHistory(history, found, width)]
        process.stdout.write(`${lines.join('\n')}\n`)
      }),
    settle: (outcome, contradictionId, options) =>
      withOperator((operator) => settleOne(operator, outcome, contradictionId, options)),
  }
}

const DEFAULT_WIDTH = 80
/** The length of an id, which is never truncated. */
const LONGEST_CELL = 36

function toRow(found: FoundContradiction): Record<string, Cell> {
  return {
    contradiction_id: found.contradictionId,
    severity: found.severity,
    relation: found.relation,
    kind: found.kind,
    about: aboutOf(found),
    a: oneLine(found.a.claim?.valueText ?? found.a.quote),
    b: oneLine(found.b.claim?.valueText ?? found.b.quote),
    confidence: found.confidence?.toFixed(2) ?? null,
    status: found.status,
  }
}

/** A list truncates long statements; the view of one contradiction shows them in full. */
function toShortRow(row: Record<string, Cell>): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      typeof cell === 'string' ? shorten(cell, LONGEST_CELL) : cell,
    ]),
  )
}

function toDetail({ a, b, ...found }: FoundContradiction): Record<string, Cell> {
  return {
    note: found.note,
    period: found.period,
    explanation: found.explanation,
    decided_by: found.rule,
    further: found.further,
    document_a: a.documentId,
    quote_a: a.quote,
    start_a: a.claim?.span[0] ?? null,
    end_a: a.claim?.span[1] ?? null,
    document_b: b.documentId,
    quote_b: b.quote,
    start_b: b.claim?.span[0] ?? null,
    end_b: b.claim?.span[1] ?? null,
  }
}

function toHistoryRow(decision: Decision): Record<string, Cell> {
  return {
    decision_id: decision.decisionId,
    result: decision.result,
    holds: decision.holds,
    decided_by: decision.decidedBy,
    actor: decision.actor,
    by: decision.by,
    reason: decision.reason,
    documents: decision.documentIds.join(' '),
    seq: decision.seq,
    decided_at: decision.decidedAt.toISOString(),
  }
}
