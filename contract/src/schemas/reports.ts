/** A report on a scope, and the text of a document. */
import { z } from 'zod'
import { Contradiction } from './contradictions.ts'
import { Convergence } from './convergence.ts'
import { Decision } from './decisions.ts'
import { Document } from './documents.ts'
import { Count, DocumentId, ScopeId, Timestamp } from './identity.ts'
import { ScopeSummary } from './scope-views.ts'

const ReportFormat = z
  .enum(['html', 'md', 'csv', 'json', 'docx'])
  .default('html')
  .meta({
    description:
      'The format of the file: a self-contained HTML page, Markdown, CSV with a line for each contradiction, JSON, ' +
      'or Word.',
  })

export const reportQuery = z.strictObject({ format: ReportFormat })

/** How much a report holds at most, so that writing one holds up nobody. `bytes` is the length of all its records as JSON. */
export const reportBounds = {
  contradictions: 500,
  documents: 1_000,
  decisions: 1_000,
  bytes: 4_000_000,
} as const

export const Report = z
  .strictObject({
    generated_at: Timestamp.meta({ description: 'When the report was written.' }),
    summary: ScopeSummary.meta({ description: 'The summary of the scope.' }),
    convergence: Convergence.meta({
      description: 'How settled the scope is, and what keeps it from being settled.',
    }),
    contradictions: z.array(Contradiction).max(reportBounds.contradictions).meta({
      description: 'Open contradictions first, by severity; within a severity by confidence.',
    }),
    decisions: z
      .array(Decision)
      .max(reportBounds.decisions)
      .meta({ description: 'Decisions about contradictions, newest first.' }),
    documents: z
      .array(Document)
      .max(reportBounds.documents)
      .meta({ description: 'Documents that are not removed, by id.' }),
    left_out: z
      .strictObject({
        contradictions: Count.meta({ description: 'Number of contradictions that are left out.' }),
        documents: Count.meta({ description: 'Number of documents that are left out.' }),
        decisions: z.boolean().meta({ description: 'Whether older decisions are left out.' }),
      })
      .meta({ description: 'The contents that the report leaves out because of its limits.' }),
  })
  .meta({ id: 'Report' })

/** Code points that one answer holds at most. */
export const maxTextRange = 20_000

const Offset = (description: string) =>
  z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,8})$/, 'Send a whole number of at most 9 digits.')
    .transform(Number)
    .optional()
    .meta({ wire: { type: 'integer', minimum: 0, maximum: 999_999_999, description } })

export const textQuery = z.strictObject({
  start: Offset('The first character, counted in code points from 0. 0 when left out.'),
  end: Offset(
    `The offset after the last character, at most ${maxTextRange} after \`start\`. The default is as far as possible.`,
  ),
  version: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, 'Send a version of the document.')
    .transform(Number)
    .optional()
    .meta({
      wire: {
        type: 'integer',
        minimum: 1,
        maximum: 999_999_999,
        description: 'The default is the newest version.',
      },
    }),
})

export const DocumentText = z
  .strictObject({
    scope_id: ScopeId,
    document_id: DocumentId,
    version: Count.meta({ description: 'The version that the text is of.' }),
    start: Count.meta({ description: 'Where the range begins, in code points.' }),
    end: Count.meta({ description: 'Where it ends; less than was asked for at the end of the text.' }),
    characters: Count.meta({ description: 'Length of the whole text, in code points.' }),
    text: z.string().meta({ description: 'The text as it was sent. Offsets of quotes are offsets in it.' }),
  })
  .meta({ id: 'DocumentText' })
