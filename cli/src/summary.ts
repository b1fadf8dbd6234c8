/** `concord summary`: a scope at a glance, with how it came to be as settled as it is. */
import { styleText } from 'node:util'
import type { Command } from 'commander'
import type { Convergence, ConvergenceBlocker, ScopeSummary } from '@concord/client'
import { shorten, wrap } from './columns.ts'
import { connect, scopeOf } from './connecting.ts'
import { describeBriefly, paintSeverity } from './contradiction-view.ts'
import type { Environment } from './environment.ts'
import { printJson } from './output.ts'
import type { OutputOptions } from './output.ts'
import { plot } from './plot.ts'
import type { ProfileOptions } from './profile.ts'
import { pageWidth, printLines } from './terminal.ts'
import { oneLine, plural } from './words.ts'

interface SummaryOptions extends OutputOptions, ProfileOptions {}

export function addSummaryCommand(program: Command, environment: Environment): void {
  program
    .command('summary')
    .argument('[scope]', 'the scope; that of the profile where none is named')
    .description('show a scope at a glance: documents, claims, contradictions, and how settled it is')
    .option('--profile <name>', 'another profile than the default')
    .option('--json', 'print JSON')
    .action(async (scope: string | undefined, options: SummaryOptions) => {
      const { concord, profile } = await connect(options, environment)
      const scopeId = scopeOf(scope, profile)
      const [summary, convergence] = await Promise.all([
        concord.getOwnScope({ scopeId }),
        concord.getOwnScopeConvergence({ scopeId }),
      ])
      if (options.json) return printJson({ summary, convergence })
      printLines(describeScope(summary, convergence, pageWidth()))
    })
}

const PLOT_HEIGHT = 5
const SHOWN_BLOCKERS = 5

function describeScope(summary: ScopeSummary, convergence: Convergence, width: number): string[] {
  const { scope_id: scopeId, display_name: name, runtime, contradictions } = summary
  return [
    styleText('bold', shorten(name === null ? scopeId : `${scopeId}  ${oneLine(name)}`, width)),
    '',
    ...facts(summary).flatMap(([label, text]) => hang(label, text, width)),
    ...hang('convergence', standing(convergence), width),
    ...hang('', parts(convergence), width),
    ...drawCourse(convergence, width),
    ...describeBlockers(convergence),
    ...(contradictions.newest.length === 0
      ? []
      : ['', 'newest', ...contradictions.newest.flatMap((found) => describeBriefly(found, width))]),
    ...(runtime.effective === 'running' ? [] : ['', `work on this scope is ${runtime.effective}`]),
  ]
}

const LABEL = 16

function hang(label: string, text: string, width: number): string[] {
  return wrap(text, width - LABEL).map((line, at) => `${(at === 0 ? label : '').padEnd(LABEL)}${line}`)
}

function facts({
  documents,
  claims,
  contradictions,
  last_activity_at: last,
}: ScopeSummary): [string, string][] {
  const { by_status: status, by_severity: severity } = contradictions
  return [
    ['documents', `${documents.total}${inParts(documents.by_status)}`],
    ['claims', String(claims.total)],
    ['contradictions', `${contradictions.total}${inParts(status)}`],
    ...(status.open === 0
      ? []
      : ([['', `open: ${counted(severity).toReversed().join(', ')}`]] satisfies [string, string][])),
    ['last activity', last ?? '-'],
  ]
}

function counted(counts: object): string[] {
  return Object.entries<number>({ ...counts }).flatMap(([name, count]) =>
    count === 0 ? [] : [`${count} ${name}`],
  )
}

function inParts(counts: object): string {
  const named = counted(counts)
  return named.length === 0 ? '' : `: ${named.join(', ')}`
}

function standing({ state, score, trend }: Convergence): string {
  const toGo =
    trend.documents_to_go === null ? '' : `, ${plural(trend.documents_to_go, 'document')} to go at this rate`
  return `${state}, ${score.toFixed(2)}, ${trend.shape}${toGo}`
}

function parts({ parts: shares }: Convergence): string {
  return Object.entries(shares)
    .map(([name, share]) => `${name} ${share.toFixed(2)}`)
    .join(', ')
}

/** One point is no course. */
function drawCourse({ points, score }: Convergence, width: number): string[] {
  if (points.length < 2) return []
  const drawn = plot([...points.map((point) => point.score), score], width - LABEL, PLOT_HEIGHT)
  return ['', ...drawn.map((line) => `${' '.repeat(LABEL)}${styleText('cyan', line)}`)]
}

function describeBlockers({ blockers, blockers_total: total }: Convergence): string[] {
  if (total === 0) return []
  const shown = blockers.slice(0, SHOWN_BLOCKERS)
  return [
    '',
    `in the way: ${total}`,
    ...shown.map((blocker) => `  ${describeBlocker(blocker)}`),
    ...(total > shown.length ? [`  and ${total - shown.length} more`] : []),
  ]
}

function describeBlocker({ kind, id, severity }: ConvergenceBlocker): string {
  const grade = (severity ?? '').padEnd(8)
  return `${severity === null ? grade : paintSeverity(severity, grade)}  ${kind.replaceAll('_', ' ')}  ${oneLine(id)}`
}
