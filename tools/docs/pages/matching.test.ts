import { describe, expect, it } from 'vitest'
import { difference } from './matching.ts'
import { pageBlocks } from './page-blocks.ts'

const id = '6781a403-0de7-95e5-68a9-e6ada89ddd9a'
const other = '01a1e544-6214-7faa-9bbe-053c49e19289'

describe('output that is what the page says', () => {
  it.each([
    ['json', '{"a":1}', '{"b":2,"a":1}\n'],
    [
      'json',
      `{"id":"${id}","at":"2026-01-01T00:00:00Z"}`,
      `{"id":"${other}","at":"2026-11-16T16:50:26.452Z"}`,
    ],
    ['json', '{"items":[{"a":1},{}]}', '{"items":[{"a":1,"b":2},{"c":3}]}'],
    ['json', '{"quote":"The … was EUR 11.9m."}', '{"quote":"The revenue was EUR 11.9m."}'],
    ['text', 'a\n…\nd', 'a\nb\nc\nd\n'],
    ['text', `id    status\n${id}  open`, `id                                    status\n${other}  open`],
  ])('%s %s', (language, text, printed) => {
    expect(difference({ language, text }, printed)).toBeUndefined()
  })
})

describe('output that is not', () => {
  it.each([
    ['json', '{"a":1}', '{"a":2}'],
    ['json', '{"a":1}', '{"b":1}'],
    ['json', '{"a":null}', '{}'],
    ['json', '{"items":[]}', '{"items":[1]}'],
    ['json', '{"a":{"b":"x"}}', '{"a":{"b":"xy"}}'],
    ['json', '{"a":1}', 'curl: (7) Failed to connect'],
    ['text', 'a', 'ab'],
    ['text', 'a\n…\nd', 'a\nb\nc'],
    ['text', id, 'no id'],
  ])('%s %s', (language, text, printed) => {
    expect(difference({ language, text }, printed)).toContain(printed)
  })
})

describe('the blocks of a page', () => {
  it('are its commands, each with what follows it', () => {
    const page = [
      '```sh',
      'one',
      '```',
      'words',
      '```json',
      '{}',
      '```',
      '```sh soon',
      'two',
      '```',
      '```sh by-hand',
      '```',
    ].join('\n')
    expect(pageBlocks(page)).toEqual([
      { line: 1, script: 'one', how: 'once', shows: { language: 'json', text: '{}' } },
      { line: 8, script: 'two', how: 'soon' },
      { line: 11, script: '', how: 'by-hand' },
    ])
  })

  it('are refused with a word that nobody knows', () => {
    expect(() => pageBlocks('```sh later\n```')).toThrow('Line 1')
  })
})
