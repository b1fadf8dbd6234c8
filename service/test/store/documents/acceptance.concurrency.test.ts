/** Many writers at once: what makes "everything after seq" a question that can be answered. */
import { randomInt, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { KEYS_KNOWN_SECONDS } from '../../../src/platform/idempotency.ts'
import { waitUntil } from '@concord/tools/launch'
import type { AcceptResult, NewDocument } from '../../../src/store/documents/acceptance.ts'
import type { Pool } from '../../../src/store/pools.ts'
import { selectLog } from '../../../src/store/scopes/scope-log.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptAll, acceptOne, idempotency, logOf, look, newDocument } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { inSession, stateOf } from '../../support/sessions.ts'

const database = useDatabase()
const one = usePools(database, 16)
const two = usePools(database, 16)
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(one())
  for (const scopeId of ['default', 'second']) await makeScope(one(), tenant, scopeId)
})

const WRITERS = 32
const ROUNDS = 8

/** Writes batch after batch, and says how many documents it handed in. */
async function writeOn(pool: Pool): Promise<AcceptResult[]> {
  const answers: AcceptResult[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const flush = Array.from({ length: randomInt(1, 4) }, () => newDocument(tenant))
    answers.push(...(await acceptAll(pool, flush)))
  }
  return answers
}

/** Asks for all after the last it saw, as fast as it can, until the writers are done and nothing is left. */
async function pollWhile(writing: () => boolean): Promise<number[][]> {
  const pages: number[][] = []
  let last = 0
  for (;;) {
    const done = !writing()
    const entries = await inTenant(one().tenant, tenant.tenantId, (own) =>
      selectLog(own, 'default', last, 50),
    )
    if (entries.length > 0) pages.push(entries.map(({ seq }) => seq))
    last = entries.at(-1)?.seq ?? last
    if (done && entries.length === 0) return pages
  }
}

describe('32 writers in one scope over two pools', () => {
  it('leave a log without gap or repetition, and one who asks for all after the last misses nothing', async () => {
    let writing = true
    const polling = pollWhile(() => writing)
    const writers = Array.from({ length: WRITERS }, (_, index) => writeOn((index % 2 ? one() : two()).tenant))
    const answers = (await Promise.all(writers)).flat()
    writing = false
    const pages = await polling
    const expected = Array.from({ length: answers.length + 1 }, (_, index) => index + 1)
    // Page by page, not sorted: a row that had committed late would be missing or out of place here.
    expect(pages.flat()).toEqual(expected)
    expect(pages.length).toBeGreaterThan(3)
    expect(answers.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(expected.slice(1))
    expect(answers.every(({ outcome }) => outcome === 'accepted')).toBe(true)
  })

  it('write down moments that never run backwards along the log', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => writeOn((index % 2 ? one() : two()).tenant)))
    const rows = await look<{ at: string }>(
      database(),
      `select at::text from scope_log where tenant_id = $1 and scope_id = 'default' order by seq`,
      [tenant.tenantId],
    )
    const moments = rows.map(({ at }) => at)
    expect(moments.length).toBeGreaterThan(60)
    expect(moments).toEqual(moments.toSorted())
  })
})

describe('flushes of several tenants and scopes in any order', () => {
  it('never wait for each other in a ring', async () => {
    const other = await makeTenant(one())
    for (const scopeId of ['default', 'second']) await makeScope(one(), other, scopeId)
    const places = [tenant, other].flatMap((who) =>
      ['default', 'second'].map((scopeId) => ({ who, scopeId })),
    )
    const flush = () =>
      Array.from({ length: 8 }, () => places[randomInt(places.length)]).flatMap((place) =>
        place ? [newDocument(place.who, { scopeId: place.scopeId })] : [],
      )
    const writers = Array.from({ length: 12 }, async (_, index) => {
      const answers: AcceptResult[] = []
      for (let round = 0; round < 6; round += 1)
        answers.push(...(await acceptAll((index % 2 ? one() : two()).tenant, flush())))
      return answers
    })
    const answers = (await Promise.all(writers)).flat()
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
    let logged = 0
    for (const { who, scopeId } of places) {
      const seqs = (await logOf(database(), who, scopeId)).map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.map((_, index) => index + 1))
      logged += seqs.length - 1
    }
    expect(logged).toBe(answers.length)
  })
})

describe('the same request many times at once', () => {
  it('is accepted once; all others get that answer', async () => {
    const request = () =>
      newDocument(tenant, { documentId: randomUUID(), idempotency: idempotency('k', 'r') })
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => acceptOne((index % 2 ? one() : two()).tenant, request())),
    )
    const accepted = answers.filter(({ outcome }) => outcome === 'accepted')
    expect(accepted).toHaveLength(1)
    for (const { documentId, seq } of answers)
      expect([documentId, seq]).toEqual([accepted[0]?.documentId, accepted[0]?.seq])
    expect(await logOf(database(), tenant)).toHaveLength(2)
  })

  it('with another content each time makes each a version of its own, in the order of the log', async () => {
    const send = (index: number) =>
      acceptOne(
        (index % 2 ? one() : two()).tenant,
        newDocument(tenant, { documentId: 'd', text: `text ${index}` }),
      )
    await Promise.all(Array.from({ length: 16 }, (_, index) => send(index)))
    const queued = (await logOf(database(), tenant)).filter(({ kind }) => kind === 'document.queued')
    expect(queued.map(({ version }) => version)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))
    expect(
      await look(database(), 'select version, state from work where tenant_id = $1', [tenant.tenantId]),
    ).toEqual([{ version: 16, state: 'queued' }])
  })
})

describe('one idempotency key through two scopes at once', () => {
  const requestFor = (scopeId: string) =>
    newDocument(tenant, { scopeId, idempotency: idempotency('shared', scopeId) })

  /** Until it is not a question of luck any more: the statement asks for another try with 40001. */
  async function acceptPatiently(pool: Pool, document: NewDocument): Promise<AcceptResult> {
    for (;;) {
      const answer = await acceptOne(pool, document).catch((error: unknown) => {
        if ((error as { code?: string }).code !== '40001') throw error
      })
      if (answer) return answer
    }
  }

  it('belongs to exactly one of them; the other is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      await look(database(), 'delete from idempotency_keys where tenant_id = $1', [tenant.tenantId])
      const answers = await Promise.all([
        acceptPatiently(one().tenant, requestFor('default')),
        acceptPatiently(two().tenant, requestFor('second')),
      ])
      expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['accepted', 'key_reused'])
    }
    const [kept] = await look<{ documents: number }>(
      database(),
      'select count(*)::int as documents from documents where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(kept).toEqual({ documents: 10 })
  })

  const statement = 'select outcome from accept_documents($1, $2, $3)'
  const groupFor = (scope: string) =>
    JSON.stringify([
      {
        tenant: tenant.tenantId,
        items: [
          {
            item: 0,
            scope,
            epoch: 0,
            document: `in ${scope}`,
            type: 'txt',
            characters: 1,
            fingerprint: 'AAAA',
            key: 'c2hhcmVk',
            request: scope === 'default' ? 'Zmlyc3Q=' : 'c2Vjb25k',
            card_at: 0,
            card_length: 1,
            text_at: 0,
            text_length: 1,
          },
        ],
      },
    ])

  const isWaiting = async (client: pg.Client) => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
      [database().name],
    )
    return rowCount === 1
  }

  it('is refused without a trace while the first has not committed yet, and asked to come again', async () => {
    await inSession({ connectionString: database().url('api') }, async (holder) => {
      await holder.query('begin')
      await holder.query(statement, [groupFor('default'), Buffer.from('x'), KEYS_KNOWN_SECONDS])
      const late = stateOf(
        one().tenant.query(statement, [groupFor('second'), Buffer.from('x'), KEYS_KNOWN_SECONDS]),
      )
      await waitUntil(() => inSession({ connectionString: database().url('superuser') }, isWaiting), {
        what: 'the second waiting for the first',
      })
      await holder.query('commit')
      expect(await late).toBe('40001')
    })
    expect(await logOf(database(), tenant, 'second')).toHaveLength(1)
    const { rows } = await one().tenant.query(statement, [
      groupFor('second'),
      Buffer.from('x'),
      KEYS_KNOWN_SECONDS,
    ])
    expect(rows).toEqual([{ outcome: 'key_reused' }])
  })

  it('is used by the second when the first is rolled back', async () => {
    await inSession({ connectionString: database().url('api') }, async (holder) => {
      await holder.query('begin')
      await holder.query(statement, [groupFor('default'), Buffer.from('x'), KEYS_KNOWN_SECONDS])
      const late = one().tenant.query(statement, [groupFor('second'), Buffer.from('x'), KEYS_KNOWN_SECONDS])
      await waitUntil(() => inSession({ connectionString: database().url('superuser') }, isWaiting), {
        what: 'the second waiting for the first',
      })
      await holder.query('rollback')
      expect((await late).rows).toEqual([{ outcome: 'accepted' }])
    })
    expect(await logOf(database(), tenant)).toHaveLength(1)
  })
})
