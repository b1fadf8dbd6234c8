/** `concord report`: each form tells the same case, and no word of a document becomes markup or a formula. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import mammoth from 'mammoth'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useWorld } from './support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const world = useWorld()
const SCOPE = 'harbour-lease'
const HOSTILE = '<script>alert("x")</script>'

beforeAll(async () => {
  const { concord } = world()
  await concord.createOwnScope({ scope_id: SCOPE, display_name: `Harbour & office ${HOSTILE}` })
  await concord.registerDocument({ scope_id: SCOPE, document_id: 'lease', name: 'Lease.pdf' })
  const base = { scope_id: SCOPE, source_a: 'Lease.pdf', source_b: `=HYPERLINK("http://x")` }
  await concord.reportContradiction({
    ...base,
    claim_a: `The rent is 185,000. ${HOSTILE}`,
    claim_b: 'The rent is 192,500.',
    severity: 'critical',
  })
  const decided = await concord.reportContradiction({
    ...base,
    claim_a: 'Notice is six months.',
    claim_b: 'Notice is twelve months.',
    severity: 'low',
  })
  await concord.resolveContradiction({
    scopeId: SCOPE,
    contradictionId: decided.contradiction_id,
    outcome: 'resolved',
    holds: 'a',
    reason: 'The signed copy says so.',
    by: 'Ada Lund',
  })
})

const report = async (...args: string[]) => (await world().run(['report', SCOPE, ...args])).stdout

describe('concord report', () => {
  it('writes one HTML page that loads nothing and runs nothing', async () => {
    const file = join(world().home, 'report.html')
    expect((await world().run(['report', SCOPE, '--output', file])).code).toBe(0)
    const page = await readFile(file, 'utf8')
    expect(page).toContain('<h1 dir="auto">Harbour &amp; office &lt;script&gt;')
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(/)
    expect(page).toContain("default-src 'none'")
    expect(page).toMatch(/Open contradictions \(1\)[\s\S]*192,500[\s\S]*Decided \(1\)[\s\S]*Ada Lund/)
    expect(page).toContain('Reason: The signed copy says so.')
    expect(page).toContain('1 of 1 were not read whole')
  })

  it('writes Markdown in which the words of documents are no markup', async () => {
    const text = await report('--format', 'md')
    expect(text).toMatch(/^# Harbour & office \\<script\\>/)
    expect(text).toMatch(/^## Open contradictions \(1\)$/m)
    expect(text).toMatch(/^> The rent is 192,500\.$/m)
    expect(text).toMatch(/^\| Lease\.pdf \| lease \| registered \| not read \| {2}\|$/m)
  })

  it('writes CSV that no spreadsheet takes for a formula', async () => {
    const lines = (await report('--format', 'csv')).split('\r\n')
    expect(lines[0]).toMatch(/^contradiction_id,about,severity,/)
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(lines[2]).toMatch(/,resolved,.*,a,Ada Lund,The signed copy says so\./)
  })

  it('writes JSON with the records of the API', async () => {
    const data = JSON.parse(await report('--format', 'json')) as {
      contradictions: { severity: string }[]
      documents: { document_id: string }[]
    }
    expect(data.contradictions.map(({ severity }) => severity)).toEqual(['critical', 'low'])
    expect(data.documents).toMatchObject([{ document_id: 'lease' }])
  })

  it('writes DOCX that a reader of DOCX takes the same words from', async () => {
    const file = join(world().home, 'report.docx')
    expect((await world().run(['report', SCOPE, '--format', 'docx', '--output', file])).code).toBe(0)
    const { value } = await mammoth.extractRawText({ buffer: await readFile(file) })
    expect(value).toContain(`Harbour & office ${HOSTILE}`)
    expect(value).toMatch(/Open contradictions \(1\)[\s\S]*192,500[\s\S]*Decided \(1\)[\s\S]*Ada Lund/)
    expect(value).toContain('Documents (1)')
  })
})
