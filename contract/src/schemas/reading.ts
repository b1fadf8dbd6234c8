/** The reading report: how much of a document was read, by which reader, and what was not read and why. */
import { z } from 'zod'
import { Share } from './claims.ts'
import { Count } from './identity.ts'

const UnreadReason = z.enum(['limit', 'time', 'memory', 'language', 'not_text', 'failed']).meta({
  id: 'UnreadReason',
  description:
    'Why something was not read. `limit`: the reader stops after 400 claims. `time`, `memory`: reading exceeded a ' +
    'limit. `language`: the reader cannot read the language. `not_text`: there is no text to read. `failed`: the ' +
    'reader failed on it.',
})

const UnreadPart = z
  .strictObject({
    reason: UnreadReason,
    characters: Count.meta({ description: 'Characters that were not read for this reason.' }),
    passages: Count.meta({ description: 'Passages that were not read for this reason.' }),
  })
  .meta({ id: 'UnreadPart' })

export const UnreadFilePart = z
  .strictObject({
    part: z
      .enum(['page', 'slide', 'attachment'])
      .meta({ description: 'A page or slide without text, such as a scan, or an attachment of an e-mail.' }),
    number: z.int().min(1).meta({ description: 'Which one; the first is 1.' }),
  })
  .meta({ id: 'UnreadFilePart', description: 'A part of a file that was not read.' })

/** Two fields of every document. */
export const unreadParts = {
  unread: z
    .array(UnreadFilePart)
    .max(100)
    .meta({
      description:
        'Pages and slides of the file without text, such as scans, and unread attachments; the first 100. Empty if ' +
        'the text itself was sent. `reading.unread` has the unread parts of the text.',
    }),
  unread_total: Count.meta({ description: 'How many such parts the file has.' }),
}

const report = {
  reader: z.string().meta({ description: 'Which reader read it.', examples: ['rules'] }),
  reader_version: z.string().meta({ description: 'The version of the reader.', examples: ['1'] }),
  read: z.enum(['whole', 'part', 'none']).meta({ description: 'How much of the text was read.' }),
  format: z
    .enum(['text', 'html', 'base64', 'binary'])
    .meta({ description: 'The detected format of the content, independent of `type`. Only `text` is read.' }),
  language: z.string().meta({
    description:
      'The language of most of the text as an ISO 639-1 code; `und` if there are too few words to detect it.',
    examples: ['en'],
  }),
  language_confidence: Share.meta({ description: 'Confidence of the detected language.' }),
  characters: Count.meta({ description: 'Characters of the text.' }),
  characters_read: Count.meta({ description: 'Characters that were read.' }),
  passages: Count.meta({ description: 'Passages of the text: paragraphs, list items, table rows, fields.' }),
  passages_read: Count.meta({ description: 'Passages that were read.' }),
  unread: z.array(UnreadPart).max(6).meta({
    description: 'The unread parts, one entry a reason; empty where everything was read.',
  }),
  claims: Count.meta({ description: 'Claims that were found.' }),
  quotes_dropped: Count.meta({
    description: 'Claims that were dropped because their quote is not in the text.',
  }),
}

/** In the event that tells of a reading: claims are compared afterwards. */
export const Reading = z.strictObject(report).meta({ id: 'Reading' })

export const ReadingReport = z
  .strictObject({
    ...report,
    claims_compared: Count.nullable().meta({
      description:
        'Claims that were compared with at least one claim of another document; null of a version that is not in force.',
    }),
  })
  .meta({ id: 'ReadingReport' })

const LeftOut = z
  .strictObject({
    groups: Count.meta({ description: 'Groups of claims about one thing in which something was left out.' }),
    claims: Count.meta({ description: 'Claims of them that were not compared in their group.' }),
    findings: Count.meta({
      description: 'Contradictions beyond the first 12 of a group, which are not kept.',
    }),
  })
  .meta({
    id: 'LeftOut',
    description:
      'Claims and findings that the limits of comparing left out; all 0 where everything was compared.',
  })

/** The sums over all documents of a scope. */
export const ReadingTotals = z
  .strictObject({
    characters: Count.meta({ description: 'Characters of all accepted documents.' }),
    characters_read: Count.meta({ description: 'Characters of them that were read.' }),
    documents_with_gaps: Count.meta({
      description:
        'Processed documents that were not read, not read to the end, or in which no claim was found. Each is a blocker.',
    }),
    claims: Count.meta({ description: 'Claims of the current versions.' }),
    claims_compared: Count.meta({
      description: 'Claims that were compared with at least one claim of another document.',
    }),
    left_out: LeftOut,
  })
  .meta({ id: 'ReadingTotals' })
