/** The database scores a scope by the rule that the domain states, whatever is counted of it. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scoreScope } from '../../../src/domain/convergence-score.ts'
import type { ScopeCounts, ScopeScore } from '../../../src/domain/convergence-score.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'

const database = useDatabase()

/** Often nothing, often little, and sometimes much. */
const few = fc.oneof(fc.constant(0), fc.nat(3), fc.nat(100_000))
const many = fc.oneof(fc.constant(0), fc.nat(50), fc.nat(2_000_000_000))
const bySeverity = fc.record({ low: few, medium: few, high: few, critical: few })
const counts: fc.Arbitrary<ScopeCounts> = fc.record({
  settled: few,
  unfinished: few,
  held: few,
  failed: few,
  characters: many,
  charactersRead: many,
  gaps: few,
  open: fc.oneof(fc.constant({ low: 0, medium: 0, high: 0, critical: 0 }), bySeverity),
  closed: bySeverity,
  claims: many,
  compared: many,
  cuts: few,
  pending: few,
  refused: few,
  notPermitted: few,
  overBudget: few,
  contestedClaims: few,
  contestedDocuments: few,
})

const toRow = ({ open, closed, ...own }: ScopeCounts, nth: number) => ({
  nth,
  settled: own.settled,
  unfinished: own.unfinished,
  held: own.held,
  failed: own.failed,
  characters: own.characters,
  characters_read: own.charactersRead,
  gaps: own.gaps,
  ...Object.fromEntries(Object.entries(open).map(([severity, count]) => [`open_${severity}`, count])),
  ...Object.fromEntries(Object.entries(closed).map(([severity, count]) => [`closed_${severity}`, count])),
  claims: own.claims,
  compared: own.compared,
  cuts: own.cuts,
  pending: own.pending,
  refused: own.refused,
  not_permitted: own.notPermitted,
  over_budget: own.overBudget,
  contested_claims: own.contestedClaims,
  contested_documents: own.contestedDocuments,
})

/** The scores of all at once, in their order. */
async function scoreInDatabase(all: readonly ScopeCounts[]): Promise<ScopeScore[]> {
  const rows = all.map(toRow)
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'nth')
  await look(database(), 'delete from scope_convergence')
  return look<ScopeScore>(
    database(),
    `with made as (
       insert into scope_convergence (tenant_id, scope_id, epoch, ${columns.join(', ')})
       select '11111111-2222-4333-8444-555555555555', 's' || nth, 0, ${columns.join(', ')}
         from json_to_recordset($1) r(nth integer, ${columns.map((column) => `${column} bigint`).join(', ')})
       returning *
     )
     select coverage, agreement, resolution, stability, score, state, blockers from made order by substring(scope_id, 2)::integer`,
    [JSON.stringify(rows)],
  )
}

describe('the score of a scope', () => {
  it('is the same in the database as in the domain, for any counts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(counts, { minLength: 50, maxLength: 100 }), async (all) => {
        expect(await scoreInDatabase(all)).toEqual(all.map(scoreScope))
      }),
      { numRuns: 20 },
    )
  })

  it('comes to every state in what is drawn', () => {
    const states = new Set(
      fc.sample(counts, { numRuns: 20_000, seed: 1 }).map((each) => scoreScope(each).state),
    )
    expect(states).toEqual(new Set(['empty', 'working', 'contested', 'converging', 'unassessed', 'settled']))
  })
})
