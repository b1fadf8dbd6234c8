// Reads the committed pages, as a person does: whatever the contract has is there.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemCodes, problems, servedOperations } from '@concord/contract'
import { describe, expect, it } from 'vitest'
import { toldKinds } from './event-page.ts'

const page = (path: string) => readFileSync(join(import.meta.dirname, '../../docs/reference', path), 'utf8')

describe('every problem has a page', () => {
  it.each(problemCodes)('%s, where its type leads, with status, what to do and an example', (code) => {
    const { status, title, detail } = problems[code]
    const type = `/problems/${code}`
    const text = page(`.${type}.md`)
    expect(text).toContain(`**${status}. ${title}.**`)
    expect(text).toContain(detail)
    const example = JSON.parse(/```json\n(.*?)\n```/s.exec(text)?.[1] ?? 'null')
    expect(example).toMatchObject({ type, code, status, title, detail })
  })
})

describe('events.md, which is written by hand', () => {
  const told = page('events.md')
    .split('\n')
    .flatMap((line) => /^\| `([a-z]+\.[a-z]+)` \|/.exec(line)?.[1] ?? [])

  it('says of every kind that is told when it is, once', () => {
    expect(told.toSorted()).toEqual(toldKinds.toSorted())
  })

  it('is followed by the fields of every kind', () => {
    const fields = page('event-fields.md')
    for (const kind of toldKinds) expect(fields).toMatch(new RegExp(`^## ${kind}$`, 'm'))
  })
})

describe('the page of operations', () => {
  it('has every route that is served', () => {
    const text = page('api.md')
    for (const { name, method, path } of servedOperations)
      expect(text).toContain(`### ${name}\n\n\`${method} ${path}\``)
  })
})
