/** getOpenApi: the served contract is the committed one. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'

interface Document {
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const subject = createSubject('getOpenApi')

async function committedDocument(): Promise<Document> {
  const file = new URL('../openapi.json', import.meta.resolve('@concord/contract'))
  return JSON.parse(await readFile(file, 'utf8')) as Document
}

describe('getOpenApi: 200', () => {
  it.each(theTarget().urls)('serves the committed contract at %s, but for the version', async (url) => {
    const served = subject.expectAnswer(await subject.call({ url }), 200) as unknown as Document
    const committed = await committedDocument()
    expect({ ...served, info: { ...served.info, version: '' } }).toEqual({
      ...committed,
      info: { ...committed.info, version: '' },
    })
  })

  it('says which version it is', async () => {
    const { info } = JSON.parse((await subject.call({})).text) as Document
    expect(info['version']).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('serves what it documents: no path of it is unknown', async () => {
    const { paths } = JSON.parse((await subject.call({})).text) as Document
    for (const path of Object.keys(paths)) {
      const documented = Object.keys(paths[path] ?? {}).map((method) => method.toUpperCase())
      const method = ['PATCH', 'PUT'].find((each) => !documented.includes(each)) ?? 'PATCH'
      const reply = await subject.call({ method, path: path.replaceAll(/[{}]/g, '') })
      expect({ path, status: reply.status }).toEqual({ path, status: 405 })
      // HEAD is answered wherever GET is, and stands in the description of the whole.
      const allowed = documented.includes('GET') ? [...documented, 'HEAD'] : documented
      expect(reply.headers['allow']?.split(', ').toSorted()).toEqual(allowed.toSorted())
    }
  })
})

describeEveryOperation(subject, () => ({}))
describeCompleteness(subject)
