/** `concord contradictions`. */
import type { Command } from 'commander'
import { getContradiction, listContradictions } from '../app/contradictions.ts'
import type { FoundContradiction } from '../app/contradictions.ts'
import { Fault } from '../domain/fault.ts'
import { actFor } from './acting.ts'
import { shorten } from './columns.ts'
import { aboutOf, describeContradiction, oneLine } from './contradiction-view.ts'
import type { WithOperator } from './operator.ts'
import { printRecord, printTable } from './output.ts'
import type { Cell, OutputOptions } from './output.ts'
import { everyPage } from './pages.ts'

interface ContradictionOptions extends OutputOptions {
  readonly tenant: string
  readonly scope: string
  readonly document?: string
}

export function addContradictionCommands(program: Command, withOperator: WithOperator): void {
  const contradictions = program
    .command('contradictions')
    .alias('contradiction')
    .description('list and show what the documents of a scope contradict each other in')
  contradictions
    .command('list')
    .description('list contradictions, newest first')
    .requiredOption('--tenant <id>', 'whose scope it is')
    .requiredOption('--scope <id>', 'the scope')
    .option('--document <id>', 'only those that this document is a side of')
    .option('--json', 'print JSON')
    .action((options: ContradictionOptions) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        const found = await everyPage((page) =>
          listContradictions(operator, who, options.scope, { ...page, documentId: options.document }),
        )
        const rows = found.map(toRow)
        printTable(options.json ? rows : rows.map(toShortRow), options)
      }),
    )
  contradictions
    .command('show <contradictionId>')
    .description('show both sides of a contradiction beside each other')
    .requiredOption('--tenant <id>', 'whose scope it is')
    .requiredOption('--scope <id>', 'the scope')
    .option('--json', 'print JSON')
    .action((contradictionId: string, options: ContradictionOptions) =>
      withOperator(async (operator) => {
        const who = await actFor(operator, options.tenant)
        if (!ID.test(contradictionId)) throw new Fault('contradiction_not_found')
        const found = await getContradiction(operator, who, options.scope, contradictionId)
        if (options.json) return printRecord({ ...toRow(found), ...toDetail(found) }, options)
        const width = process.stdout.columns ?? DEFAULT_WIDTH
        process.stdout.write(`${describeContradiction(found, width).join('\n')}\n`)
      }),
    )
}

const DEFAULT_WIDTH = 80
/** An id, which is the longest that is never cut. */
const LONGEST_CELL = 36
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function toRow(found: FoundContradiction): Record<string, Cell> {
  return {
    contradiction_id: found.contradictionId,
    severity: found.severity,
    relation: found.relation,
    kind: found.kind,
    about: aboutOf(found),
    a: oneLine(found.a.claim.valueText),
    b: oneLine(found.b.claim.valueText),
    confidence: found.confidence.toFixed(2),
  }
}

/** What a document says may be long; whoever wants all of it asks for one. */
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
    status: found.status,
    period: found.period,
    explanation: found.explanation,
    decided_by: found.rule,
    further: found.further,
    document_a: a.documentId,
    quote_a: a.claim.quote,
    start_a: a.claim.span[0],
    end_a: a.claim.span[1],
    document_b: b.documentId,
    quote_b: b.claim.quote,
    start_b: b.claim.span[0],
    end_b: b.claim.span[1],
  }
}
