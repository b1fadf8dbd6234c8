import { describe, expect, it } from 'vitest'
import { parseSource } from './source-files.ts'
import {
  commentFragments,
  exportedTypes,
  lineCommentFragments,
  maximaWithoutMax,
  sharedTypeNames,
} from './words.ts'

const source = (text: string, path = 'service/src/app/x.ts') => parseSource(path, text)

describe('the name of an exported type', () => {
  it('is shared where two files have it, whatever kind of type it is', () => {
    const files = [
      source('export type Token = string\ntype Own = 1'),
      source('\nexport interface Token {}\ntype Own = 2', 'reading/src/y.ts'),
      source('export class Reader {}', 'reading/src/z.ts'),
    ]
    expect(sharedTypeNames(files.flatMap(exportedTypes))).toEqual([
      'Token: service/src/app/x.ts:1, reading/src/y.ts:2',
    ])
  })

  it('may be that of a type which the client has from the wire', () => {
    const files = [
      source('export type Scope = string'),
      source('export type Scope = 1', 'client/src/generated/schemas.ts'),
    ]
    expect(sharedTypeNames(files.flatMap(exportedTypes))).toEqual([])
  })
})

describe('the name of a maximum', () => {
  it('begins with max', () => {
    expect(maximaWithoutMax(source('const mostWords = 4\nconst a = { maxWords: 1 }'))).toEqual([
      'service/src/app/x.ts:1 mostWords',
    ])
    expect(maximaWithoutMax(source('const MOST_BYTES = 4'))).toHaveLength(1)
  })

  it('is not meant by an order or by another word', () => {
    expect(maximaWithoutMax(source('f(mostSevereFirst, almost, mostly)'))).toEqual([])
  })
})

describe('a comment that begins as half a sentence is found', () => {
  it.each([
    '// Of one tenant.',
    '/** What a policy may ask. */',
    '/**\n * Whoever asks.\n */',
    '// As many as there are.',
    '// So many wait.',
    '// Who is it? No.\n\n// Who asks.',
  ])('%s', (text) => {
    expect(commentFragments(source(text))).toHaveLength(1)
  })

  it('at the line where it begins, in SQL as well', () => {
    expect(commentFragments(source('f()\n// Who asks,\n// and why.'))[0]).toMatch(/x\.ts:2 Who asks, and why/)
    const sql = 'select 1;\n-- Of one tenant,\n-- and of another.\nselect 2; -- Of none'
    expect(lineCommentFragments('x.sql', sql)).toEqual(['x.sql:2 Of one tenant, and of another.'])
  })
})

describe('a comment that is a sentence is left alone', () => {
  it.each([
    '// Loads what a policy may ask.',
    '// What does it cost? Nothing.',
    '// As soon as it ends, the next one begins.',
    '// The tenant of the document,\n// Of all the others.',
    'const a = 1 // aside\n// Offers more.',
    `const s = '// Of no comment'`,
  ])('%s', (text) => {
    expect(commentFragments(source(text))).toEqual([])
  })
})
