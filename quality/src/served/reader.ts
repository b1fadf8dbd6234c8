/** Reads a scope through the running service: everything goes in and comes out by HTTP. */
import { waitUntil } from '@concord/tools/launch'
import type { Evidence, Reader, Report, ScopeText } from '../report.ts'
import type { ServedClient, ServedContradiction } from './client.ts'
import { unitsOf } from './offsets.ts'
import type { ServedJudge } from './judge.ts'
import type { ToUnits } from './offsets.ts'

export function createServedReader(client: ServedClient, judge: ServedJudge | undefined): Reader {
  const scopes = new Map<string, number>()
  let documents = 0
  let elapsed = 0
  return {
    async read(scope) {
      // Two sets may read the same folder; each gets a scope of its own.
      const turn = (scopes.get(scope.name) ?? 0) + 1
      scopes.set(scope.name, turn)
      const scopeId = `${scope.name.replaceAll(/[^a-z0-9-]/g, '-')}-${turn}`
      await client.createScope(scopeId)
      const started = performance.now()
      await Promise.all(scope.documents.map(async (document) => client.ingest(scopeId, document)))
      await untilRead(client, scopeId, scope.documents.length)
      await judge?.untilAsked()
      elapsed += performance.now() - started
      documents += scope.documents.length
      const found = await client.contradictions(scopeId)
      return {
        reports: reportsOf(scope, found),
        claims: await client.countClaims(scopeId),
        pairs: null,
        explain: null,
      }
    },
    /** From the first that was sent to the last that was read, scope after scope. */
    pace: () => `${(documents / (elapsed / 1000)).toFixed(1)} documents a second through the service`,
    async cost() {
      if (!judge) return '0 tokens a document'
      const { tokens, verdicts } = await judge.used()
      return `${(tokens / documents).toFixed(0)} tokens a document, for ${verdicts} verdicts of the judge`
    },
  }
}

async function untilRead(client: ServedClient, scopeId: string, expected: number): Promise<void> {
  const statuses = await waitUntil(
    async () => {
      const found = await client.statuses(scopeId)
      const ended = (found.get('processed') ?? 0) + (found.get('failed') ?? 0)
      return ended === expected && found
    },
    { what: `all documents of ${scopeId} being read`, withinMs: 60_000, everyMs: 50 },
  )
  if (statuses.has('failed')) throw new Error(`${statuses.get('failed')} documents of ${scopeId} failed.`)
}

function reportsOf(scope: ScopeText, found: readonly ServedContradiction[]): readonly Report[] {
  const units = new Map(scope.documents.map(({ id, text }) => [id, unitsOf(text)]))
  return found.map(({ relation, kind, decided_by: rule, severity, confidence, a, b }) => ({
    relation,
    kind,
    rule,
    severity,
    confidence: confidence ?? 0,
    score: null,
    a: evidenceOf(a, units),
    b: evidenceOf(b, units),
    detail: [],
  }))
}

function evidenceOf(side: ServedContradiction['a'], units: ReadonlyMap<string, ToUnits>): Evidence {
  const document = side.document_id ?? ''
  const toUnits = units.get(document) ?? ((at: number) => at)
  return {
    document,
    start: toUnits(side.start ?? 0),
    end: toUnits(side.end ?? 0),
    quote: side.quote,
    value: null,
  }
}
