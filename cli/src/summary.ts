/** `concord summary`: a scope at a glance, with how it came to be as settled as it is. */
import { styleText } from 'node:util'
import type { Command } from 'commander'
import type { Convergence, ReadingTotals, ScopeSummary } from '@concord/client'
import { STATES } from '@concord/client/report'
import { describeBlockers, HELD, nameBlockers } from './blockers.ts'
import type { NamedBlocker } from './blockers.ts'
import { shorten, wrap } from '../terminal/columns.ts'
import { connect, scopeOf } from './connecting.ts'
import { describeBriefly } from './contradiction-view.ts'
import type { CliEnvironment } from './environment.ts'
import { JSON_OUTPUT, printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { plot } from './plot.ts'
import { PROFILE } from './profile.ts'
import type { ProfileOptions } from './profile.ts'
import { percentRead } from './reading-view.ts'
import { pageWidth, printLines } from '../terminal/screen.ts'
import { inThousands, oneLine, plural, shareText } from '../terminal/words.ts'

interface SummaryOptions extends OutputOptions, ProfileOptions {}

export function addSummaryCommand(program: Command, environment: CliEnvironment): void {
  program
    .command('summary')
    .argument('[scope]', 'the scope; default: that of the profile')
    .description('show a scope at a glance: documents, claims, contradictions, and how settled it is')
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .action(async (scope: string | undefined, options: SummaryOptions) => {
      const { concord, profile } = await connect(options, environment)
      const scopeId = scopeOf(scope, profile)
      const [summary, convergence] = await Promise.all([
        concord.getOwnScope({ scopeId }),
        concord.getOwnScopeConvergence({ scopeId }),
      ])
      if (options.json) return printJson({ summary, convergence })
      const blockers = await nameBlockers(concord, scopeId, convergence)
      printLines(describeScope(summary, convergence, blockers, pageWidth()))
    })
}

const PLOT_HEIGHT = 5

function describeScope(
  summary: ScopeSummary,
  convergence: Convergence,
  blockers: readonly NamedBlocker[],
  width: number,
): string[] {
  const { scope_id: scopeId, display_name: name, runtime, contradictions } = summary
  return [
    styleText('bold', shorten(name === null ? scopeId : `${scopeId}  ${oneLine(name)}`, width)),
    '',
    ...describeState(summary, convergence, width),
    ...drawCourse(convergence, width),
    ...describeBlockers(convergence.blockers_total, blockers, width),
    ...(contradictions.newest.length === 0
      ? []
      : ['', 'newest', ...contradictions.newest.flatMap((found) => describeBriefly(found, width))]),
    ...(runtime.effective === 'running' ? [] : ['', `work on this scope is ${runtime.effective}`]),
  ]
}

/** How much was read and compared, what is open, and how settled the scope is. */
export function describeState(summary: ScopeSummary, convergence: Convergence, width: number): string[] {
  return [
    ...facts(summary).flatMap(([label, text]) => hang(label, text, width)),
    ...hang('convergence', standing(convergence), width),
    ...hang('', parts(convergence), width),
    ...hang('', stateInWords(convergence), width),
  ]
}

const LABEL = 16

function hang(label: string, text: string, width: number): string[] {
  return wrap(text, width - LABEL).map((line, at) => `${(at === 0 ? label : '').padEnd(LABEL)}${line}`)
}

function facts({
  documents,
  reading,
  contradictions,
  convergence,
  last_activity_at: last,
}: ScopeSummary): [string, string][] {
  const { by_status: status, by_severity: severity } = contradictions
  return [
    ['documents', `${documents.total}${inParts(documents.by_status)}`],
    ['read', readInWords(reading)],
    ['claims', `${inThousands(reading.claims)}, ${inThousands(reading.claims_compared)} compared`],
    ...stillComparing(convergence.comparisons_pending),
    ...heldComparisons(convergence.comparisons_held),
    ['contradictions', `${contradictions.total}${inParts(status)}`],
    ...(status.open === 0
      ? ([['', foundNothing(contradictions.total, reading)]] satisfies [string, string][])
      : ([['', `open: ${counted(severity).toReversed().join(', ')}`]] satisfies [string, string][])),
    ...notCompared(reading),
    ['last activity', last ?? '-'],
  ]
}

/** Nothing is settled meanwhile. */
function stillComparing(pending: number): [string, string][] {
  return pending === 0 ? [] : [['', `${plural(pending, 'comparison')} by a language model still to be made`]]
}

function heldComparisons(held: ScopeSummary['convergence']['comparisons_held']): [string, string][] {
  return (['not_permitted', 'over_budget'] as const).flatMap((reason): [string, string][] =>
    held[reason] === 0 ? [] : [['', `${plural(held[reason], 'comparison')} held: ${HELD[reason]}`]],
  )
}

function readInWords(reading: ReadingTotals): string {
  const { characters, characters_read: read, documents_with_gaps: gaps } = reading
  const share = characters === 0 ? '' : ` (${percentRead(reading)} %)`
  const missing = gaps === 0 ? '' : `; ${plural(gaps, 'document')} with gaps`
  return `${inThousands(read)} of ${inThousands(characters)} characters${share}${missing}`
}

function notCompared({ left_out: { groups, claims, findings } }: ReadingTotals): [string, string][] {
  if (groups === 0) return []
  const kept = findings === 0 ? '' : `, and ${plural(findings, 'finding')} not kept`
  const left = `${plural(claims, 'claim')} not compared${kept}`
  return [['', `comparison incomplete: in ${plural(groups, 'group')} of claims about one thing ${left}`]]
}

/** Silence is no agreement: it comes with how much was compared. */
function foundNothing(total: number, { claims_compared: compared }: ReadingTotals): string {
  if (compared === 0) return 'nothing was compared'
  return `nothing ${total === 0 ? '' : 'else '}found in ${plural(compared, 'comparison')}`
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
  return `${state}, ${shareText(score)}, ${trend.shape}${toGo}`
}

function parts({ parts: shares }: Convergence): string {
  return Object.entries(shares)
    .map(([name, share]) => `${name} ${shareText(share)}`)
    .join(', ')
}

function stateInWords({ state }: Convergence): string {
  return `${state}: ${STATES[state]}`
}

/** One point is no course. */
function drawCourse({ points, score }: Convergence, width: number): string[] {
  if (points.length < 2) return []
  const drawn = plot([...points.map((point) => point.score), score], width - LABEL, PLOT_HEIGHT)
  return ['', ...drawn.map((line) => `${' '.repeat(LABEL)}${styleText('cyan', line)}`)]
}
