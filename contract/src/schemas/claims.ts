/** Claims: the checkable statements that documents make, each with the place where it stands. */
import { z } from 'zod'
import { ClaimId, Count, DocumentId, Timestamp } from './identity.ts'

/** A share of one, such as a confidence or a part of convergence. */
export const Share = z.number().min(0).max(1)

export const ClaimValue = z
  .strictObject({
    kind: z.enum([
      'money',
      'percent',
      'count',
      'ratio',
      'date',
      'duration',
      'version',
      'level',
      'status',
      'existence',
    ]),
    text: z.string().meta({ description: 'As the document writes it.' }),
    low: z.number().nullable(),
    high: z.number().nullable().meta({ description: 'Equal to `low` unless the document gives a range.' }),
    unit: z.string().nullable().meta({ description: 'Unit or currency.' }),
  })
  .meta({ id: 'ClaimValue' })

/** Offsets count code points, as all lengths of this contract do. */
export const span = {
  quote: z.string().meta({ description: 'The words of the document, unchanged.' }),
  start: Count.meta({ description: 'Offset of the first character of the quote in the text.' }),
  end: Count.meta({ description: 'Offset after its last character.' }),
}

export const Claim = z
  .strictObject({
    claim_id: ClaimId,
    document_id: DocumentId,
    version: Count,
    entity: z.string(),
    attribute: z.string(),
    value: ClaimValue.nullable(),
    polarity: z.enum(['affirmed', 'denied']),
    period: z
      .string()
      .nullable()
      .meta({ description: 'What time the claim is about.', examples: ['2025'] }),
    ...span,
    confidence: Share,
    extracted_at: Timestamp,
  })
  .meta({ id: 'Claim' })
