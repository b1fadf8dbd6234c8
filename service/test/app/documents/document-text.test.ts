/** The text of a document comes back as it was sent, by version and range, for as long as it is kept. */
import { describe, expect, it } from 'vitest'
import { getDocumentText } from '../../../src/app/documents/document-text.ts'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { sliceCodePoints } from '../../../src/domain/code-points.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { makeTenant, masterKeys } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

const read = (start = 0, end = 100, version?: number, who = archive().tenant.caller) =>
  getDocumentText(archive().deps, who, 'default', 'report', { start, end, version })

describe('the text of a document', () => {
  it('is the sent text, or the existing part of the range', async () => {
    const text = 'a💠b\r\n\u0301ü'
    const characters = Array.from(text).length
    await archive().deposit({ text, characters })
    expect(await read()).toEqual({ version: 1, characters, start: 0, end: characters, text })
    expect(await read(1, 3)).toMatchObject({ start: 1, end: 3, text: '💠b' })
    expect(await read(50, 60)).toMatchObject({ start: characters, end: characters, text: '' })
  })

  it('is that of the newest version by default', async () => {
    await archive().deposit()
    await archive().deposit({ text: 'other words', characters: 11 })
    expect(await read()).toMatchObject({ version: 2, text: 'other words' })
    expect(await read(0, 100, 1)).toMatchObject({ version: 1, text: 'the words' })
    expect(await faultOf(read(0, 100, 3))).toBe('text_not_found')
  })

  it('does not exist if none was sent, if it is not kept, or after a removal', async () => {
    await archive().register()
    expect(await faultOf(read())).toBe('text_not_found')
    await archive().deposit()
    await look(database(), 'update document_versions set sealed_text = null where tenant_id = $1', [
      archive().tenant.tenantId,
    ])
    expect(await faultOf(read())).toBe('text_not_found')
    await archive().remove()
    expect(await faultOf(read())).toBe('document_not_found')
  })

  it('of another tenant, or of a scope that was reset, is not known', async () => {
    await archive().deposit()
    const other = await makeTenant(pools())
    expect(await faultOf(read(0, 9, undefined, other.caller))).toBe('scope_not_found')
    await resetScope({ ...archive().deps, masterKeys }, archive().tenant.caller, 'default')
    expect(await faultOf(read())).toBe('document_not_found')
  })
})

describe('a range in code points', () => {
  it('is that of the array of code points, for any text and any range', () => {
    const text = 'x💠💠yz💠'
    const points = Array.from(text)
    for (let start = 0; start <= 8; start += 1)
      for (let end = start; end <= 8; end += 1)
        expect(sliceCodePoints(text, start, end, points.length).text).toBe(points.slice(start, end).join(''))
  })
})
