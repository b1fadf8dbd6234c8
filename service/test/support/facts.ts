/** Claims as a language model states them, and what the tables say of the facts of a scope. */
import type { LocatedClaim } from '../../src/domain/claim.ts'
import type { TestDatabase } from './database.ts'
import { statement } from './claims.ts'
import type { Paper } from './claims.ts'
import { look } from './documents.ts'
import type { TestTenant } from './people.ts'

/** "The revenue of Borealis in 2025 is EUR 10m", in the words of a model. `day` is the date of the document, since 1970. */
export function stated(
  millions: number,
  subject = 'Borealis',
  attribute = 'revenue',
  day: number | null = null,
): LocatedClaim {
  const claim = statement(millions, subject, attribute)
  const said = { statement: claim.quote, modality: 'fact', value: claim.valueText, period: '2025' } as const
  return { ...claim, assertedAt: day, stated: said }
}

/** Each claim stands at another place of the document. */
export function statedPaper(documentId: string, ...claims: readonly LocatedClaim[]): Paper {
  const placed = claims.map((claim, nth): LocatedClaim => ({ ...claim, span: [100 * nth, 100 * nth + 40] }))
  return { documentId, claims: placed }
}

export interface FactRows {
  /** Witnesses, state and whether it is compared, as `d1.0 d2.1 pending true`. */
  readonly facts: readonly string[]
  /** Document, version and number of facts, as `d1 v1 x2`. */
  readonly steps: readonly string[]
  readonly counts: {
    readonly facts: number
    readonly tokens: number
    readonly steps: number
    readonly refused: number
  }
}

/** Whatever can be counted is counted, and must be what was noted. */
export async function factRows(
  database: TestDatabase,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  scopeId = 'default',
): Promise<FactRows> {
  const place = [tenantId, scopeId]
  const facts = await look<{ row: string; witnesses: number; counted: number }>(
    database,
    `select concat_ws(' ', (select string_agg(w.document_id || '.' || w.no, ' ' order by w.document_id, w.no)
                              from fact_witnesses w where (w.tenant_id, w.scope_id, w.fact_key) = (f.tenant_id, f.scope_id, f.fact_key)),
                      state, compared) as row, witnesses,
            (select count(*)::int from fact_witnesses w where (w.tenant_id, w.scope_id, w.fact_key) = (f.tenant_id, f.scope_id, f.fact_key)) as counted
       from facts f where tenant_id = $1 and scope_id = $2 order by position, 1`,
    place,
  )
  const steps = await look<{ row: string }>(
    database,
    `select concat(document_id, ' v', version, ' x', cardinality(facts)) as row from comparison_steps
      where tenant_id = $1 and scope_id = $2 order by step`,
    place,
  )
  const [counts] = await look<FactRows['counts']>(
    database,
    `select facts::int, tokens::int, steps, refused::int from fact_counts where tenant_id = $1 and scope_id = $2`,
    place,
  )
  const [sums] = await look<{
    facts: number
    tokens: number
    postings: number
    filed: number
    words: number
  }>(
    database,
    `select count(*)::int as facts, coalesce(sum(tokens), 0)::int as tokens, coalesce(sum(cardinality(words)), 0)::int as postings,
            (select count(*)::int from fact_postings where tenant_id = $1 and scope_id = $2) as filed,
            (select coalesce(sum(facts), 0)::int from fact_words where tenant_id = $1 and scope_id = $2) as words
       from facts where tenant_id = $1 and scope_id = $2`,
    place,
  )
  const noted = counts ?? { facts: 0, tokens: 0, steps: 0, refused: 0 }
  const isTrue =
    noted.facts === sums?.facts &&
    noted.tokens === sums.tokens &&
    noted.steps === steps.length &&
    sums.filed === sums.postings &&
    sums.words === sums.postings &&
    facts.every(({ witnesses, counted }) => witnesses === counted)
  if (!isTrue) throw new Error(`counts are wrong: ${JSON.stringify({ noted, sums, steps, facts })}`)
  return { facts: facts.map(({ row }) => row), steps: steps.map(({ row }) => row), counts: noted }
}
