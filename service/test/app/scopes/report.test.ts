/** A report is read within bounds, the heaviest open contradictions first. */
import { beforeEach, describe, expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { readReport } from '../../../src/app/scopes/report.ts'
import { reportContradiction } from '../../../src/app/contradictions/reports.ts'
import { toReportData } from '../../../src/http/report-records.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

const WEIGHTS = ['low', 'critical', 'medium', 'high', 'critical', 'low'] as const
const bounds = { contradictions: 100, documents: 100, decisions: 100, bytes: 1_000_000 }
const read = (more: Partial<typeof bounds> = {}) =>
  readReport(archive().deps, archive().tenant.caller, 'default', { ...bounds, ...more })

beforeEach(async () => {
  for (const [no, severity] of WEIGHTS.entries()) {
    const [one, other] = [`It is ${no}.`, `It is not ${no}.`]
    await reportContradiction(archive().deps, archive().tenant.caller, {
      scopeId: 'default',
      severity,
      note: null,
      a: { source: 'a', claim: one },
      b: { source: 'b', claim: other },
    })
  }
})

describe('a report', () => {
  it('has everything if it fits, the most severe first', async () => {
    const { contradictions } = await read()
    expect(contradictions.map(({ severity }) => severity)).toEqual([
      'critical',
      'critical',
      'high',
      'medium',
      'low',
      'low',
    ])
    const listed = await listContradictions(archive().deps, archive().tenant.caller, 'default', {
      limit: 100,
      cursor: undefined,
    })
    expect(contradictions).toHaveLength(listed.items.length)
  })

  it('holds no more bytes than it may and states what it leaves out', async () => {
    await archive().deposit({ documentId: 'one' })
    const whole = await read()
    const bytes = JSON.stringify(whole.contradictions.slice(0, 3)).length
    const content = await read({ bytes })
    expect(content.contradictions).toEqual(whole.contradictions.slice(0, 3))
    expect(content.documents).toMatchObject({ items: [], more: true })
    expect(toReportData('default', content, new Date()).left_out).toEqual({
      contradictions: 3,
      documents: 1,
      decisions: false,
    })
  })

  it('counts what is shown, not the ciphertext that it was read from', async () => {
    await archive().deposit({ documentId: 'one', name: 'n'.repeat(400) })
    const { contradictions, documents } = await read()
    const shown = JSON.stringify([contradictions, documents.items])
    expect(documents.items).toHaveLength(1)
    expect(shown).not.toContain('"type":"Buffer"')
    expect((await read({ bytes: shown.length })).documents.items).toHaveLength(1)
  })

  it('keeps to its bounds and states what it leaves out', async () => {
    for (const documentId of ['one', 'two', 'three']) await archive().deposit({ documentId })
    const content = await read({ contradictions: 3, documents: 2 })
    expect(content.contradictions.map(({ severity }) => severity)).toEqual(['critical', 'critical', 'high'])
    expect(content.documents).toMatchObject({ items: [{}, {}], more: true })
    expect(toReportData('default', content, new Date()).left_out).toEqual({
      contradictions: 3,
      documents: 1,
      decisions: false,
    })
    expect(toReportData('default', await read(), new Date()).left_out.documents).toBe(0)
  })
})
