/** How a reading report is put into words: never more than was read, and always why not. */
import { describe, expect, it } from 'vitest'
import type { DocumentDetail, ReadingReport } from '@concord/client'
import { describeDocument } from '../src/documents.ts'
import { describeReading, gapInWords, percentRead, readCell } from '../src/reading-view.ts'
import { shareText } from '../terminal/words.ts'

const WHOLE: ReadingReport = {
  reader: 'rules',
  reader_version: '1',
  read: 'whole',
  format: 'text',
  language: 'en',
  language_confidence: 0.98,
  characters: 30_747,
  characters_read: 30_747,
  passages: 600,
  passages_read: 600,
  unread: [],
  claims: 400,
  claims_compared: 120,
  quotes_dropped: 0,
}

const unread = (
  reason: ReadingReport['unread'][number]['reason'],
  read: number,
  more: Partial<ReadingReport> = {},
): ReadingReport => ({
  ...WHOLE,
  read: read === 0 ? 'none' : 'part',
  characters_read: read,
  passages_read: read === 0 ? 0 : 200,
  unread: [{ reason, characters: WHOLE.characters - read, passages: read === 0 ? 600 : 400 }],
  ...more,
})

describe('a reading report in words', () => {
  it.each<[string, ReadingReport, string, string | undefined]>([
    ['whole', WHOLE, 'read 100 %', undefined],
    ['whole without claims', { ...WHOLE, claims: 0 }, 'read 100 % (no claims)', 'no claim found'],
    ['over the limit', unread('limit', 10_265), 'read 33 % (limit)', '33 %: more than 400 claims'],
    ['German', unread('language', 0, { language: 'de' }), 'not read (language: de)', 'not read: German'],
    [
      'partly in another language',
      unread('language', 10_265),
      'read 33 % (language)',
      '33 %: in another language',
    ],
    [
      'base64',
      unread('not_text', 0, { format: 'base64', language: 'und' }),
      'not read (base64)',
      'not read: it is base64, not text',
    ],
    [
      'a language that is no code',
      unread('language', 0, { language: '?' }),
      'not read (language: ?)',
      'not read: ?',
    ],
  ])('says it in a cell and in half a sentence: %s', (_, report, cell, gap) => {
    expect([readCell(report), gapInWords(report)]).toEqual([cell, gap])
  })

  it('never rounds a share up', () => {
    expect([0.999_999, 1, 0.29, 0].map(shareText)).toEqual(['0.99', '1.00', '0.29', '0.00'])
  })

  it('never rounds to all or to nothing', () => {
    expect(percentRead({ characters: 100_000, characters_read: 99_999 })).toBe(99)
    expect(percentRead({ characters: 100_000, characters_read: 1 })).toBe(1)
    expect(percentRead({ characters: 100_000, characters_read: 0 })).toBe(0)
  })

  it('says the whole report in sentences, with what to do', () => {
    expect(describeReading(unread('limit', 10_265))).toEqual([
      'Read in part: 10,265 of 30,747 characters (33 %), 200 of 600 passages.',
      'The reader was "rules", version 1. The text is English (confidence 0.98).',
      '20,482 characters in 400 passages were not read: more than 400 claims.',
      '400 claims, 120 compared with a claim of another document.',
      'What to do: split it, and send the parts as documents of their own.',
    ])
  })

  it('fits, and words of others cannot steer the terminal', () => {
    const time = '2026-11-18T06:00:00.000Z'
    const document: DocumentDetail = {
      scope_id: 'acme',
      document_id: 'a\u001B[2J',
      name: 'long '.repeat(60),
      type: 'pdf\u0007',
      source: null,
      provenance: null,
      unread: [],
      unread_total: 0,
      tags: ['a\u001B[2J'],
      metadata: { b: '\u0007' },
      version: 1,
      status: 'processed',
      stage: null,
      attempt: 1,
      error: null,
      hold: null,
      waiting_for: null,
      waiting_reason: null,
      reading: unread('not_text', 0, { format: 'base64' }),
      created_at: time,
      updated_at: time,
      versions: [],
      next_versions_cursor: null,
    }
    const lines = describeDocument(document, 80)
    expect(lines.filter((line) => line.length > 80 || /\p{Cc}/u.test(line))).toEqual([])
    expect(lines.join(' ').replaceAll(/\s+/gu, ' ')).toContain(
      '"concord ingest FILE" takes the text out of PDF',
    )
    const waiting = { ...document, status: 'queued' as const, waiting_for: 'model' as const, reading: null }
    expect(describeDocument({ ...waiting, waiting_reason: 'over_budget' }, 80)).toContain(
      'waits     for the language model (over_budget)',
    )
    const version = {
      version: 1,
      status: 'superseded' as const,
      characters: 1,
      reading: null,
      received_at: time,
    }
    const instants = { queued_at: null, started_at: null, ended_at: null }
    const versions = [2, 1].map((number) => ({ ...version, ...instants, version: number }))
    const two = { ...document, version: 2, versions }
    expect(describeDocument(two, 80)).toContain('version   2 (2 versions kept)')
    expect(describeDocument({ ...two, next_versions_cursor: 'x' }, 80)).toContain(
      'version   2 (more than 2 versions kept)',
    )
  })
})
