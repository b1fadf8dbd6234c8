/** Tests the judge of hostile files: it must notice a wrong end, and the corpus must hold enough files of every type. */
import { describe, expect, test } from 'vitest'
import { hostileFiles } from '../proofs/files/corpus.ts'
import { rateOf } from '../proofs/files/neighbour.ts'
import { endOf, judgeFiles } from '../proofs/files/sending.ts'

const problem = (code: string) =>
  JSON.stringify({
    code: 'file_unreadable',
    errors: [{ pointer: '#', code, message: 'The file is damaged or cut short.' }],
  })

describe('the end of a file', () => {
  test.each([
    [202, '{}', /^read$/],
    [422, problem('damaged'), /^damaged$/],
    [422, '{"code":"validation_failed","errors":[{"pointer":"#","code":"required"}]}', /^422 /],
    [500, problem('damaged'), /^500 /],
    [0, 'NoAnswer', /^0 NoAnswer/],
  ])('of %i %s', (status, text, end) => {
    expect(endOf({ status, text })).toMatch(end)
  })

  test('is judged by what is right for the file', () => {
    const file = {
      name: 'a',
      type: 'txt',
      make: () => Buffer.from('a'),
      ends: ['read'],
      isShort: true,
    } as const
    const answers = ['read', 'crashed', 'time_exceeded', '500 x'].map((end) => ({
      file,
      documentId: 'a',
      end,
      ms: 1,
      repeated: 0,
    }))
    expect(judgeFiles(answers)).toEqual({
      wrong: ['a: crashed instead of read', 'a: 500 x instead of read'],
      late: ['a: time_exceeded instead of read'],
    })
  })
})

describe('the corpus', () => {
  const files = hostileFiles()

  test('has at least 200 files with names of their own, 35 of them in the short run', () => {
    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
    expect(files.length).toBeGreaterThanOrEqual(200)
    expect(files.filter(({ isShort }) => isShort).length).toBeGreaterThanOrEqual(35)
  })

  test('has files of every type', () => {
    const types = new Set(files.map(({ type }) => type))
    expect([...types].toSorted()).toEqual(['csv', 'docx', 'eml', 'html', 'md', 'pdf', 'pptx', 'txt', 'xlsx'])
  })
})

test('a pace is what all turns have together', () => {
  expect(
    rateOf([
      { accepted: 10, ms: 1_000 },
      { accepted: 0, ms: 1_000 },
    ]),
  ).toBe(5)
})
