/** The case that ships with the project, handed in as anybody would, and what Concord finds in it. */
import { join } from 'node:path'
import { styleText } from 'node:util'
import type { Concord, Contradiction, Severity } from '@concord/client'
import { clientOf } from './connecting.ts'
import { describeBriefly, describeContradiction } from './contradiction-view.ts'
import { ingest } from './ingest.ts'
import { collectSources } from './ingest/sources.ts'
import { describeSummary } from './ingest/summary.ts'
import { takeFirst } from './listing.ts'
import { printJson } from './output.ts'
import type { OutputOptions } from './output.ts'
import type { Profile } from './profile.ts'
import { pageWidth, printLines } from './terminal.ts'
import { plural } from './words.ts'

const CASE = join(import.meta.dirname, '..', 'demo')
const SHOWN_WHOLE = 2
const WEIGHT: Readonly<Record<Severity, number>> = { critical: 4, high: 3, medium: 2, low: 1 }

/** Into a scope that is there and empty; ends with 1 where a document does not come to a good end. */
export async function showDemo(
  profile: Profile & { readonly scopeId: string },
  { json = false }: OutputOptions,
): Promise<void> {
  const concord = clientOf(profile)
  const { scopeId } = profile
  const sources = await collectSources([CASE], CASE)
  if (!json) printLines(introduction(sources.sources.length))
  const summary = await ingest(concord, scopeId, sources, { concurrency: 4, wait: true, json })
  const found = await listWeightiest(concord, scopeId)
  if (json) printJson({ scope_id: scopeId, summary, contradictions: found })
  else printLines([...describeSummary(summary), '', ...describeFound(found), ...whatNext(profile)])
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
  return items.toSorted((a, b) => weightOf(b) - weightOf(a) || (b.confidence ?? 0) - (a.confidence ?? 0))
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

function whatNext({ url, tenantId, tenantKey, scopeId }: Profile): string[] {
  return [
    'To go on, with the service running:',
    '',
    `  export CONCORD_URL=${url} TENANT_ID=${tenantId} CONCORD_SCOPE=${scopeId}`,
    `  export TENANT_KEY=${tenantKey}`,
    '  npx concord summary',
    '  npx concord contradictions show ID',
    '  npx concord contradictions resolve ID --holds b --reason "the accounts are audited"',
  ]
}
