/** Claims: the checkable statements that documents make, each with the place where it stands. */
import { z } from 'zod'
import { ClaimId, Count, DocumentId, Timestamp } from './identity.ts'

/** A share of one, such as a confidence or a part of convergence. */
export const Share = z.number().min(0).max(1)

const claimKinds = [
  'money',
  'percent',
  'count',
  'measure',
  'ratio',
  'date',
  'duration',
  'version',
  'level',
  'status',
  'existence',
  'identity',
] as const

export const ClaimKind = z.enum(claimKinds).meta({
  id: 'ClaimKind',
  description:
    'The kind of the claim. `level` is a position on an ordered scale, `existence` that there is such a thing or none, ' +
    '`identity` who or what it is.',
})

const Day = z.iso.date().meta({ examples: ['2026-03-31'] })

/** One form for all kinds: what a kind does not need is null, so that a reader need not ask what is there. */
export const ClaimValue = z
  .strictObject({
    kind: ClaimKind,
    text: z.string().meta({ description: 'The value as the document states it.', examples: ['EUR 12.4m'] }),
    low: z.number().nullable().meta({
      description:
        'The number, or the lower end of a range; null if that end is open or the value is not a number.',
    }),
    high: z.number().nullable().meta({
      description:
        'The upper end of a range, else equal to `low`; null if that end is open or the value is not a number.',
    }),
    unit: z
      .string()
      .nullable()
      .meta({
        description:
          'Currency, `%`, unit, or what is counted; durations are in seconds (`s`). Null if the value has none.',
        examples: ['EUR'],
      }),
    approximate: z.boolean().meta({ description: 'The document says "about", "nearly" or the like.' }),
    bound: z
      .enum(['at_least', 'at_most', 'more_than', 'less_than'])
      .nullable()
      .meta({
        description:
          'The side of a limit that is permitted: numbers at least, at most, above or below this one; null if the value is not a ' +
          'limit.',
      }),
    first_day: Day.nullable().meta({
      description: 'The day, or the first day of the period; null if the value is not a date.',
    }),
    last_day: Day.nullable().meta({
      description:
        'The last day of the month, quarter or year, else equal to `first_day`; null if the value is not a date.',
    }),
    word: z
      .string()
      .nullable()
      .meta({
        description: 'The status, level or name in canonical words; null for other kinds.',
        examples: ['completed'],
      }),
    family: z
      .string()
      .nullable()
      .meta({
        description:
          'The set of mutually exclusive words that a status or level belongs to; null for other kinds.',
        examples: ['completion'],
      }),
    exists: z.boolean().nullable().meta({
      description: 'Whether the document says that there is one; null unless the kind is `existence`.',
    }),
  })
  .meta({
    id: 'ClaimValue',
    description:
      'What the claim says, in a form that can be compared; fields that its kind does not use are null.',
  })

/** Offsets count code points, as all lengths of this contract do. */
export const span = {
  quote: z.string().meta({ description: 'The words of the document, unchanged.' }),
  start: Count.meta({ description: 'Offset of the first character of the quote in the text.' }),
  end: Count.meta({ description: 'Offset after its last character.' }),
}

/** One form for all types of files: what a type does not have is null. */
const FileLocation = z
  .strictObject({
    page: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Page of a PDF file, from 1; null for other files.' }),
    slide: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Slide of a presentation, from 1; null for other files.' }),
    sheet: z
      .string()
      .nullable()
      .meta({ description: 'Name of the sheet in a workbook; null for other files.' }),
    cell: z
      .string()
      .nullable()
      .meta({
        description: 'The cell of the value, in a workbook or a CSV file; null for other files.',
        examples: ['B7'],
      }),
    heading: z
      .string()
      .nullable()
      .meta({
        description:
          'The nearest heading above it, in a Word document, HTML or Markdown; null if there is none, and for other ' +
          'files.',
      }),
    line: z.int().min(1).nullable().meta({
      description:
        'Line of plain text or Markdown, or of the text that was read from an e-mail, from 1; null for other files.',
    }),
  })
  .meta({ id: 'FileLocation' })

export const Location = FileLocation.nullable().meta({
  description:
    'The position of the value in the file. Null if the text was sent instead of a file, and if there is no ' +
    'heading above it.',
})

export const Period = z.string().meta({
  description:
    'The period that it is about: a year, a half, a quarter, a month, a day, or the first and the last day ' +
    'separated by a slash.',
  examples: ['2025', '2025-H1', '2025-Q3', '2025-09', '2025-09-30', '2025-04-01/2026-03-31'],
})

export const AssertedAt = Day.meta({
  description: 'The date of the statement, according to the document.',
})

export const Claim = z
  .strictObject({
    claim_id: ClaimId,
    document_id: DocumentId,
    version: Count.meta({ description: 'The version of the document that makes the claim.' }),
    kind: ClaimKind,
    entity: z
      .string()
      .nullable()
      .meta({
        description: 'The subject of the claim; null if the text does not say.',
        examples: ['Borealis'],
      }),
    attribute: z
      .string()
      .meta({ description: 'The property of the entity that the claim states.', examples: ['revenue'] }),
    qualifiers: z.array(z.string()).meta({
      description: 'Words that separate it from claims about another measure or scenario.',
      examples: [['adjusted', 'scenario:downside']],
    }),
    value: ClaimValue,
    polarity: z.enum(['affirmed', 'denied']).meta({
      description:
        '`denied` if the text says that there is none or that something is not so, else `affirmed`.',
    }),
    modality: z.enum(['actual', 'plan', 'target', 'limit', 'hypothetical', 'quoted']).meta({
      id: 'Modality',
      description:
        'Whether the statement is a fact, a plan, a target, a limit, a possibility, or reported speech.',
    }),
    period: Period.nullable().meta({
      description: 'The period that the claim is about; null if the text does not say.',
    }),
    asserted_at: AssertedAt.nullable().meta({
      description: 'The date of the statement, according to the document; null if it has none.',
    }),
    ...span,
    location: Location,
    confidence: Share.meta({ description: 'The probability that the claim was read correctly.' }),
    extracted_at: Timestamp,
  })
  .meta({ id: 'Claim' })
