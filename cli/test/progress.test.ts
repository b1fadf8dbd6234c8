/** Tests the view while documents go through: within the width, the furthest first, and what holds others must not steer it. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createBoard } from '../src/ingest/board.ts'
import { drawProgress } from '../src/ingest/progress.ts'
import type { Source } from '../src/ingest/sources.ts'

const source = (path: string): Source => ({
  path,
  documentId: path,
  name: path,
  type: 'txt',
  read: async () => new Uint8Array(),
})

function drawn(columns: number, rows = 24): string[] {
  const sources = Array.from({ length: 30 }, (_, at) =>
    source(`reports/${'a long name '.repeat(20)}\u001B[31m${at}.txt`),
  )
  const board = createBoard(sources)
  sources.slice(0, 20).forEach((each) => board.move(each, 'sending'))
  sources.slice(0, 10).forEach((each) => board.accept(each, 1))
  sources
    .slice(0, 2)
    .forEach((each) => board.tell(each.documentId, { seq: 2, step: 'processing', reason: null }))
  sources
    .slice(2, 4)
    .forEach((each) => board.tell(each.documentId, { seq: 3, step: 'processed', reason: null }))
  return drawProgress('acme', board.standings, { opened: 3, pending: 0 }, columns, rows).map(
    stripVTControlCharacters,
  )
}

describe.each([80, 120])('at %s columns', (columns) => {
  it('keeps to the width and says how far all are', () => {
    const lines = drawn(columns)
    expect(lines).toHaveLength(9)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns)
    expect(lines.slice(0, 3).map((line) => line.trim().split(' ')[0])).toEqual([
      'processing',
      'processing',
      'queued',
    ])
    expect(lines.at(-1)).toMatch(/^acme {2}█+░+ {2}2\/30 · 10 sending · 6 queued · 2 processing/)
    expect(lines.join('')).not.toContain('\u001B')
  })
})

it('says how many comparisons are left when all documents are at their end', () => {
  const board = createBoard([source('a')])
  board.tell('a', { seq: 3, step: 'processed', reason: null })
  const lines = drawProgress('acme', board.standings, { opened: 1, pending: 12 }, 120, 24)
  expect(stripVTControlCharacters(lines.at(-1) ?? '')).toMatch(/12 comparisons left · 1 contradiction$/)
})

it('keeps to the height', () => {
  expect(drawn(80, 5)).toHaveLength(3)
})

describe('the board', () => {
  it('lets the log count more than an answer that comes after it', () => {
    const one = source('a')
    const board = createBoard([one])
    board.move(one, 'sending')
    board.tell('a', { seq: 7, step: 'processed', reason: null })
    board.accept(one, 5)
    expect(board.standings[0]).toMatchObject({ step: 'processed', accepted: true })
  })

  it('takes nothing for the end of a document that was told before it was sent', () => {
    const one = source('a')
    const board = createBoard([one])
    board.tell('a', { seq: 4, step: 'processed', reason: null })
    board.accept(one, 5)
    board.tell('a', { seq: 5, step: 'queued', reason: null })
    expect(board.standings[0]).toMatchObject({ step: 'queued' })
  })

  it('is settled when all are at their end, and not before it is closed', async () => {
    const one = source('a')
    const board = createBoard([one])
    board.accept(one, 1)
    board.tell('a', { seq: 2, step: 'failed', reason: 'x' })
    const early = await Promise.race([board.settled.then(() => 'settled'), Promise.resolve('open')])
    expect(early).toBe('open')
    board.close()
    await board.settled
  })
})
