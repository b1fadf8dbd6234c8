/** A case that ships with the project, handed in as anybody would, and what Concord finds in it. */
import { styleText } from 'node:util'
import type { Concord, Contradiction, Severity } from '@concord/client'
import { wrap } from '../terminal/columns.ts'
import { clientOf } from './connecting.ts'
import { describeBriefly, describeContradiction } from './contradiction-view.ts'
import { collectDemoSources, demoCases } from './demo/cases.ts'
import type { DemoCase, DemoReader } from './demo/cases.ts'
import { describeLookAlikes } from './demo/look-alikes.ts'
import { describeNextSteps } from './demo/next-steps.ts'
import { ingest } from './ingest.ts'
import { describeSummary } from './ingest/summary.ts'
import { takeFirst } from './listing.ts'
import { printJson } from '../terminal/output.ts'
import type { OutputOptions } from '../terminal/output.ts'
import type { Profile } from './profile.ts'
import { describeState } from './summary.ts'
import { pageWidth, printLines } from '../terminal/screen.ts'
import { plural } from '../terminal/words.ts'

const SHOWN_WHOLE = 2
const WEIGHT: Readonly<Record<Severity, number>> = { critical: 4, high: 3, medium: 2, low: 1 }

export interface DemoOutput extends OutputOptions {
  readonly reader: DemoReader
  /** When the answers of the language model were recorded, where the service gets recorded ones: "November 2026". */
  readonly recorded?: string
  /** The command that starts the service again, where it stops with this demo. */
  readonly startAgain?: string
}

/** Into the scope of the case, which is there and empty; ends with 1 where a document does not come to a good end. */
export async function showDemo(profile: Profile, options: DemoOutput): Promise<void> {
  const { json = false, reader, recorded } = options
  const demoCase = demoCases[reader]
  const { scopeId } = demoCase
  const concord = clientOf(profile)
  const sources = await collectDemoSources(demoCase)
  if (!json) printLines(introduction(demoCase, sources.sources.length, options))
  // Recorded answers answer the requests that documents make one after the other.
  const inTurn = recorded !== undefined
  const summary = await ingest(concord, scopeId, sources, { concurrency: 4, wait: true, inTurn, json })
  if (reader === 'model') await requireModel(concord, scopeId)
  const found = await listWeightiest(concord, scopeId)
  const isDone = summary.processed === summary.documents
  if (json) printJson({ scope_id: scopeId, summary, contradictions: found })
  else if (!isDone) printLines(describeSummary(summary))
  else
    printLines([
      ...describeSummary(summary),
      '',
      ...describeFound(found),
      ...describeLookAlikes(demoCase.lookAlikes, found, pageWidth()),
      ...(await readState(concord, scopeId)),
      '',
      ...describeNextSteps(profile, demoCase, found, options.startAgain),
    ])
  if (!isDone) process.exitCode = 1
}

function introduction({ displayName, about }: DemoCase, documents: number, options: DemoOutput): string[] {
  const width = pageWidth()
  return [
    styleText('bold', displayName),
    ...wrap(`${plural(documents, 'document')} ${about}.`, width),
    ...readerInWords(options),
    '',
  ]
}

function readerInWords({ reader, recorded }: DemoOutput): string[] {
  if (reader === 'rules')
    return ['Rules read them. In documents as people write them, rules miss most contradictions.']
  if (recorded === undefined) return ['The language model of the service reads them.']
  return [`Read with answers of a language model, recorded ${recorded}. To use your own:`, OWN_MODEL]
}

const OWN_MODEL = '  MODEL_URL=https://HOST/v1 MODEL_NAME=NAME MODEL_API_KEY=KEY npm run demo'

/** The rules were not written for these documents, so their findings say nothing about the service. */
async function requireModel(concord: Concord, scopeId: string): Promise<void> {
  const { items } = await takeFirst(concord.listDocuments.all({ scopeId }), { limit: Infinity })
  const byRules = items.filter(({ reading }) => reading?.reader === 'rules').length
  if (byRules === 0) return
  throw new Error(
    `Rules read ${byRules} of ${plural(items.length, 'document')}: the service has no language model. Set MODEL_URL and MODEL_NAME for its workers, or use --reader rules.`,
  )
}

async function listWeightiest(concord: Concord, scopeId: string): Promise<Contradiction[]> {
  const { items } = await takeFirst(concord.listContradictions.all({ scopeId }), { limit: Infinity })
  return items.toSorted(
    (a, b) =>
      weightOf(b) - weightOf(a) ||
      (b.confidence ?? 0) - (a.confidence ?? 0) ||
      subjectOf(a).localeCompare(subjectOf(b)),
  )
}

/** Gives contradictions of equal weight the same order in every run: by their documents, then by what they are about. */
function subjectOf({ a, b, title, entity, attribute }: Contradiction): string {
  return [...[a.source, b.source].toSorted(), title, entity, attribute].join('\n')
}

/** A contradiction that is settled already, or both hold, comes last. */
function weightOf({ severity, status, relation }: Contradiction): number {
  return WEIGHT[severity] + (status === 'open' && relation === 'conflict' ? 10 : 0)
}

function describeFound(found: readonly Contradiction[]): string[] {
  const width = pageWidth()
  const whole = found.slice(0, SHOWN_WHOLE).flatMap((each) => [...describeContradiction(each, width), ''])
  const brief = found.slice(SHOWN_WHOLE).flatMap((each) => [...describeBriefly(each, width), ''])
  return [...whole, ...brief]
}

async function readState(concord: Concord, scopeId: string): Promise<string[]> {
  const [summary, convergence] = await Promise.all([
    concord.getOwnScope({ scopeId }),
    concord.getOwnScopeConvergence({ scopeId }),
  ])
  return describeState(summary, convergence, pageWidth())
}
