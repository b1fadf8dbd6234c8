/** Several tenants share a batch; row-level security holds for each of them inside the one statement. */
import { beforeEach, describe, expect, it } from 'vitest'
import { KEYS_KNOWN_SECONDS } from '../../../src/platform/idempotency.ts'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import { useDatabase } from '../../support/database.ts'
import { look, newDocument, pictureOf, storyOf } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database, 1)
let tenants: TestTenant[]

beforeEach(async () => {
  tenants = [await makeTenant(pools()), await makeTenant(pools()), await makeTenant(pools())]
  for (const tenant of tenants) await makeScope(pools(), tenant, 'default')
})

const tenantAt = (index: number): TestTenant => {
  const tenant = tenants[index]
  if (!tenant) throw new Error('there is no such tenant')
  return tenant
}

/** An item as the statement takes it, with whatever the test wants to be wrong about it. */
const item = (number: number, parts: Readonly<Record<string, unknown>> = {}) => ({
  item: number,
  scope: 'default',
  epoch: 0,
  document: `d${number}`,
  type: 'txt',
  characters: 1,
  fingerprint: 'AAAA',
  key: null,
  request: null,
  card_at: 0,
  card_length: 1,
  text_at: 0,
  text_length: 1,
  ...parts,
})

describe('a batch of several tenants', () => {
  it('writes each document to its own tenant, and answers in the order it was asked', async () => {
    const documents = [0, 2, 1, 0, 1, 2, 2].map((index, place) =>
      newDocument(tenantAt(index), { documentId: `d${place}` }),
    )
    const answers = await acceptDocuments(pools().tenant, documents)
    expect(answers.map(({ outcome, documentId, seq }) => [outcome, documentId, seq])).toEqual([
      ['accepted', 'd0', 2],
      ['accepted', 'd1', 2],
      ['accepted', 'd2', 2],
      ['accepted', 'd3', 3],
      ['accepted', 'd4', 3],
      ['accepted', 'd5', 3],
      ['accepted', 'd6', 4],
    ])
    for (const [index, count] of [2, 2, 3].entries())
      expect(await storyOf(database(), tenantAt(index))).toHaveLength(count)
  })

  it('leaves no tenant set on the connection it used', async () => {
    await acceptDocuments(
      pools().tenant,
      tenants.map((tenant) => newDocument(tenant)),
    )
    const { rows } = await pools().tenant.query(`select current_setting('app.tenant', true) as tenant`)
    expect(rows).toEqual([{ tenant: '' }])
  })

  it('with one document that breaks writes nothing for anyone', async () => {
    const before = await pictureOf(database())
    const broken = newDocument(tenantAt(1), { documentId: 'with \u0000 inside' })
    const flush = [newDocument(tenantAt(0)), broken, newDocument(tenantAt(2))]
    await expect(acceptDocuments(pools().tenant, flush)).rejects.toThrow('Unicode')
    expect(await pictureOf(database())).toEqual(before)
  })
})

describe('a group under the wrong tenant', () => {
  it('finds no scope of another tenant, although one of that name exists there', async () => {
    const [acme, borealis] = [tenantAt(0), tenantAt(1)]
    await makeScope(pools(), borealis, 'only-theirs')
    const before = await pictureOf(database(), borealis)
    const groups = [{ tenant: acme.tenantId, items: [item(0, { scope: 'only-theirs' })] }]
    const { rows } = await pools().tenant.query('select outcome from accept_documents($1, $2, $3)', [
      JSON.stringify(groups),
      Buffer.from('x'),
      KEYS_KNOWN_SECONDS,
    ])
    expect(rows).toEqual([{ outcome: 'scope_not_found' }])
    expect(await pictureOf(database(), borealis)).toEqual(before)
  })

  it('named behind the back of the transaction touches nothing of that tenant', async () => {
    const [acme, borealis] = [tenantAt(0), tenantAt(1)]
    const before = await pictureOf(database(), borealis)
    // The inner function is told borealis, the transaction belongs to acme: the policies believe the transaction.
    const outcome = await asRole(database(), 'api', async (client) => {
      await client.query('begin')
      await client.query(`select set_config('app.tenant', $1, true)`, [acme.tenantId])
      const { rows } = await client.query('select outcome from accept_documents_of($1, $2, $3, $4)', [
        borealis.tenantId,
        JSON.stringify([item(0)]),
        Buffer.from('x'),
        KEYS_KNOWN_SECONDS,
      ])
      await client.query('commit')
      return rows
    })
    expect(outcome).toEqual([{ outcome: 'scope_not_found' }])
    expect(await pictureOf(database(), borealis)).toEqual(before)
  })

  it('that does not exist is answered like an unknown scope', async () => {
    const nobody = { tenantId: '00000000-0000-4000-8000-000000000000' }
    const [answer] = await acceptDocuments(pools().tenant, [newDocument(nobody)])
    expect(answer).toMatchObject({ outcome: 'scope_not_found' })
    expect(await look(database(), 'select from documents where tenant_id = $1', [nobody.tenantId])).toEqual(
      [],
    )
  })
})
