/** The case that ships with the project, handed in as anybody would, and what Concord finds in it. */
import { dirname, join } from 'node:path'
import { styleText } from 'node:util'
import type { Concord, Contradiction, Severity } from '@concord/client'
import { clientOf } from './connecting.ts'
import { describeBriefly, describeContradiction } from './contradiction-view.ts'
import { ingest } from './ingest.ts'
import { collectSources } from './ingest/sources.ts'
import { describeSummary } from './ingest/summary.ts'
import { launcherPath } from './launcher.ts'
import { takeFirst } from './listing.ts'
import { printJson } from './output.ts'
import type { OutputOptions } from './output.ts'
import type { Profile } from './profile.ts'
import { pageWidth, printLines } from './terminal.ts'
import { plural } from './words.ts'

const CASE = join(import.meta.dirname, '..', 'demo')
const SHOWN_WHOLE = 2
const WEIGHT: Readonly<Record<Severity, number>> = { critical: 4, high: 3, medium: 2, low: 1 }

export interface DemoOutput extends OutputOptions {
  /** The command that starts the service again, where it stops with this demo. */
  readonly startAgain?: string
}

/** Into a scope that is there and empty; ends with 1 where a document does not come to a good end. */
export async function showDemo(
  profile: Profile & { readonly scopeId: string },
  { json = false, startAgain }: DemoOutput,
): Promise<void> {
  const concord = clientOf(profile)
  const { scopeId } = profile
  const sources = await collectSources([CASE], CASE)
  if (!json) printLines(introduction(sources.sources.length))
  const summary = await ingest(concord, scopeId, sources, { concurrency: 4, wait: true, json })
  const found = await listWeightiest(concord, scopeId)
  if (json) printJson({ scope_id: scopeId, summary, contradictions: found })
  else
    printLines([
      ...describeSummary(summary),
      '',
      ...describeFound(found),
      ...whatNext(profile, found[0], startAgain),
    ])
  if (summary.processed !== summary.documents) process.exitCode = 1
}

function introduction(documents: number): string[] {
  return [
    styleText('bold', 'Project Clover'),
    `Somebody wants to buy Larkfield Dairy Ltd, and has ${plural(documents, 'document')} about it.`,
    '',
  ]
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
function subjectOf({ a, b, entity, attribute }: Contradiction): string {
  return [...[a.source, b.source].toSorted(), entity, attribute].join('\n')
}

/** What is settled already, or both hold, comes last. */
function weightOf({ severity, status, relation }: Contradiction): number {
  return WEIGHT[severity] + (status === 'open' && relation === 'conflict' ? 10 : 0)
}

function describeFound(found: readonly Contradiction[]): string[] {
  const width = pageWidth()
  const whole = found.slice(0, SHOWN_WHOLE).flatMap((each) => [...describeContradiction(each, width), ''])
  const brief = found.slice(SHOWN_WHOLE).flatMap((each) => [...describeBriefly(each, width), ''])
  return [...whole, ...brief]
}

function whatNext(
  { url, tenantId, tenantKey, scopeId }: Profile,
  first: Contradiction | undefined,
  startAgain: string | undefined,
): string[] {
  const id = first?.contradiction_id ?? 'ID'
  const holds = first?.a.source.includes('audited') ? 'a' : 'b'
  const start =
    startAgain === undefined
      ? ['To go on:']
      : [
          'The service stops with this demo; what it found is kept. To go on, start it in a second terminal:',
          '',
          `  ${startAgain}`,
          '',
          'and then, in this one:',
        ]
  return [
    ...start,
    '',
    `  export CONCORD_URL=${url} TENANT_ID=${tenantId} CONCORD_SCOPE=${scopeId}`,
    `  export TENANT_KEY=${tenantKey}`,
    `  export PATH="${dirname(launcherPath())}:$PATH"`,
    '  concord summary',
    `  concord contradictions show ${id}`,
    `  concord contradictions resolve ${id} --holds ${holds} --reason "the accounts are audited"`,
  ]
}
