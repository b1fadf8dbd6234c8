/** The database ranks candidates by the same rule as the function that `quality` measures. */
import { beforeAll, describe, expect, it } from 'vitest'
import { CANDIDATE_LIMITS, createCandidateIndex } from '../../../src/model/candidates.ts'
import type { RankedFact } from '../../../src/model/candidates.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 1)
let tenant: TestTenant

/** Whole, from 0 to below `limit`; low ones come more often. */
function createDraw(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) ** 2 * limit)
  }
}

const DOCUMENTS = 60
const facts: RankedFact[] = []

beforeAll(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  const draw = createDraw(7)
  for (let position = 1; position <= DOCUMENTS; position += 1)
    for (let nth = 0; nth < 12; nth += 1) {
      const words = new Set(Array.from({ length: 6 + draw(18) }, () => String(1_000 + draw(400))))
      facts.push({ key: BigInt(position * 1_000 + ((nth * 7) % 12)), position, words: [...words] })
    }
  const place = [tenant.tenantId, JSON.stringify(facts.map((fact) => ({ ...fact, key: String(fact.key) })))]
  const rows = `json_to_recordset($2) f(key bigint, position bigint, words bigint[])`
  await look(
    database(),
    `insert into facts (tenant_id, scope_id, fact_key, position, witnesses, tokens, state, compared, words)
     select $1, 'default', f.key, f.position, 1, 10, 'done', true, f.words from ${rows}`,
    place,
  )
  await look(
    database(),
    `insert into fact_postings (tenant_id, scope_id, word, position, fact_key)
     select $1, 'default', w.word, f.position, f.key from ${rows} cross join lateral unnest(f.words) w(word)`,
    place,
  )
  await look(
    database(),
    `insert into fact_witnesses (tenant_id, scope_id, fact_key, document_id, no, version)
     select $1, 'default', f.key, 'd' || f.position, 0, 1 from ${rows}`,
    place,
  )
  await look(
    database(),
    `insert into fact_words (tenant_id, scope_id, word, facts)
     select $1, 'default', w.word, count(*) from ${rows} cross join lateral unnest(f.words) w(word) group by w.word`,
    place,
  )
})

async function rankInDatabase(
  { key, position }: RankedFact,
  limits: Readonly<Record<keyof typeof CANDIDATE_LIMITS, number>> = CANDIDATE_LIMITS,
  document = `d${position}`,
): Promise<bigint[]> {
  const rows = await look<{ fact_key: string }>(
    database(),
    `select fact_key from rank_candidates($1, 'default', array[$2]::bigint[], $3, $4, $9, $5, $6, $7, $8) order by best_place`,
    [tenant.tenantId, String(key), position, facts.length, ...Object.values(limits), document],
  )
  return rows.map((row) => BigInt(row.fact_key))
}

describe('the ranking of candidates', () => {
  it('is the same in the database as in the function that is measured', async () => {
    const index = createCandidateIndex(facts)
    const asked = facts.filter((_, nth) => nth % 9 === 0)
    const compared = await Promise.all(
      asked.map(async (fact) => ({
        ranked: await rankInDatabase(fact),
        index: index.find(fact, CANDIDATE_LIMITS.best),
      })),
    )
    expect(compared.filter(({ ranked }) => ranked.length === CANDIDATE_LIMITS.best).length).toBeGreaterThan(
      60,
    )
    for (const { ranked, index: expected } of compared) expect(ranked).toEqual(expected.map(({ key }) => key))
  })

  it('keeps to the limits that it is given', async () => {
    const [asked] = facts.slice(-1)
    if (!asked) throw new Error('there are no facts')
    const best = await rankInDatabase(asked)
    expect(await rankInDatabase(asked, { ...CANDIDATE_LIMITS, best: 3 })).toEqual(best.slice(0, 3))
    expect(await rankInDatabase(asked, { ...CANDIDATE_LIMITS, scored: 2 })).toHaveLength(2)
  })

  it('scores by all shared words, not only by the rarest ones', () => {
    const words = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, nth) => `w${from + nth}`)
    const part = { key: 1n, position: 1, words: words(0, 12) }
    const whole = { key: 2n, position: 1, words: words(0, 20) }
    const asked = { key: 3n, position: 2, words: words(0, 20) }
    // All words are as frequent as each other.
    const later = { key: 4n, position: 3, words: words(12, 20) }
    expect(createCandidateIndex([part, whole, asked, later]).find(asked, 2)).toEqual([whole, part])
  })
})
