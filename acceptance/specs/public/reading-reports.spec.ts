/** How much of a document was read: in its detail, in lists, in its event, in the summary and in what is in the way. */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../events.ts'
import { ingest, untilEnded } from '../../world/documents.ts'
import type { DocumentFields } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { bearer, createScope, createTenant } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
})

const GERMAN =
  'Der Umsatz der Borealis GmbH betrug im Jahr 2025 rund 12,4 Millionen Euro. Die Geschäftsführung hat den Bericht geprüft ' +
  'und ist mit dem Ergebnis zufrieden. Der Mietvertrag für das Lager endet am 30. Juni 2028 und wird nicht verlängert.'
const FIGURES = Array.from({ length: 600 }, (_, at) => `Site K-${at} had ${at + 10} employees in 2025.`)

const NOTHING = { read: 'none', characters_read: 0, passages_read: 0, claims: 0, claims_compared: 0 }

interface Case {
  readonly what: string
  readonly fields: DocumentFields
  readonly reading: object
  readonly blocker: string | null
}

const cases: readonly Case[] = [
  {
    what: 'one that was read whole',
    fields: { text: 'Borealis Ltd had revenue of EUR 12.4m in 2025.' },
    reading: {
      reader: 'rules',
      read: 'whole',
      format: 'text',
      language: 'en',
      characters: 46,
      characters_read: 46,
      unread: [],
      claims_compared: 0,
      quotes_dropped: 0,
    },
    blocker: null,
  },
  {
    what: 'one with more claims than are read',
    fields: { text: FIGURES.join('\n\n') },
    reading: { read: 'part', format: 'text', unread: [{ reason: 'limit' }], claims: 400 },
    blocker: 'document_partly_read',
  },
  {
    what: 'a German one',
    fields: { text: GERMAN },
    reading: {
      ...NOTHING,
      format: 'text',
      language: 'de',
      unread: [{ reason: 'language', characters: GERMAN.length }],
    },
    blocker: 'document_language',
  },
  {
    what: 'base64 that is called a PDF',
    fields: { type: 'pdf', text: randomBytes(3_000).toString('base64') },
    reading: { ...NOTHING, format: 'base64', unread: [{ reason: 'not_text', characters: 4_000 }] },
    blocker: 'document_unread',
  },
  {
    what: 'one without claims',
    fields: { text: 'The report follows.' },
    reading: { read: 'whole', claims: 0, unread: [] },
    blocker: 'document_without_claims',
  },
]

describe.each(cases)('the reading report of $what', ({ fields, reading, blocker }) => {
  let scopeId = ''

  beforeAll(async () => {
    scopeId = (await createScope(tenant)).scope_id
    await ingest(tenant, scopeId, { document_id: 'it', ...fields })
    await untilEnded(tenant, scopeId, 'it')
  })

  const ofScope = () => ({ headers: bearer(tenant.key), params: { scopeId } })
  const readDetail = () =>
    make('getDocument', { headers: bearer(tenant.key), params: { scopeId, documentId: 'it' } })

  it('is in its detail, in its version and in the list, and adds up', async () => {
    const document = await readDetail()
    expect(document).toMatchObject({ status: 'processed', reading, versions: [{ reading }] })
    const { items } = await make('listDocuments', ofScope())
    expect(items.map((item) => item.reading)).toEqual([document.reading])
    const { unread = [], characters, characters_read: read } = document.reading ?? {}
    expect(unread.reduce((total, part) => total + part.characters, read ?? 0)).toBe(characters)
  })

  it('is told by its event, but for what is compared afterwards', async () => {
    const { claims_compared: _, ...told } = (await readDetail()).reading ?? {}
    const events = (await readLog(tenant, scopeId)).filter(({ type }) => type === 'document.processed')
    expect(events.map(({ data }) => data)).toMatchObject([{ document_id: 'it', reading: told }])
  })

  it('is counted in the summary and in coverage, and a gap is in the way', async () => {
    const { reading: report } = await readDetail()
    const { characters = 0, characters_read: read = 0, claims } = report ?? {}
    const summary = await make('getOwnScope', ofScope())
    expect(summary.reading).toEqual({
      characters,
      characters_read: read,
      documents_with_gaps: blocker === null ? 0 : 1,
      claims,
      claims_compared: 0,
      left_out: expect.any(Object),
    })
    const convergence = await make('getOwnScopeConvergence', ofScope())
    expect(convergence.parts.coverage).toBe(Math.floor((1e6 * read) / characters) / 1e6)
    // A document over the limit has more claims about one thing than are compared with each other.
    const others = report?.unread.some(({ reason }) => reason === 'limit') ? ['comparison_incomplete'] : []
    expect(convergence.blockers.map(({ kind }) => kind)).toEqual([...(blocker ? [blocker] : []), ...others])
    expect(convergence.blockers.find(({ kind }) => kind === blocker)?.id).toBe(blocker ? 'it' : undefined)
    // One document alone is compared with nothing.
    expect(convergence.state).toBe(blocker === null ? 'unassessed' : 'converging')
  })
})

describe('a reading report', () => {
  it('is not there while the document waits', async () => {
    const { scope_id: scopeId } = await createScope(tenant)
    const body = { scope_id: scopeId, name: 'Lease', document_id: 'it', text: 'The rent is EUR 900.' }
    expect(await make('registerDocument', { headers: bearer(tenant.key), body })).toMatchObject({
      status: 'attached',
      reading: null,
    })
  })
})
