/** Contradictions: two claims that cannot both hold, with the evidence on either side and what became of them. */
import { z } from 'zod'
import { text } from '../text.ts'
import { AssertedAt, ClaimKind, ClaimValue, Location, Period, Share, span } from './claims.ts'
import { ClaimId, ContradictionId, Count, DecisionId, DocumentId, ScopeId, Timestamp } from './identity.ts'

export const Severity = z.enum(['low', 'medium', 'high', 'critical']).meta({
  id: 'Severity',
  description:
    'How serious it is if it is a contradiction. While one of severity `high` or `critical` is open, the scope is ' +
    '`contested`.',
})

export const ContradictionStatus = z.enum(['open', 'resolved', 'dismissed']).meta({
  id: 'ContradictionStatus',
  description:
    '`open`: not decided yet. `resolved`: a decision says which side is right. `dismissed`: a decision says that ' +
    'it is not a contradiction.',
})

export const ContradictionOrder = z.enum(['newest', 'severity']).meta({
  id: 'ContradictionOrder',
  description:
    '`newest`: the last opened first. `severity`: the most severe first, then by confidence, where a reported one ' +
    'counts as 1, then the last opened first.',
})

export const ContradictionKind = z.enum([...ClaimKind.options, 'reported']).meta({
  id: 'ContradictionKind',
  description: 'The kind of both claims; `reported` if a person or another system reported it.',
})

export const Relation = z.enum(['conflict', 'restatement', 'change']).meta({
  id: 'Relation',
  description:
    '`conflict`: both cannot hold; `restatement`: one side says that it takes the place of the other; `change`: both held, ' +
    'one after the other.',
})

export const Holds = z.enum(['a', 'b', 'both', 'neither']).meta({
  id: 'Holds',
  description: 'Which side is right; `both` if they turned out to be compatible.',
})

const ReportedClaim = text({
  min: 1,
  max: 2000,
  description: 'The statement of the document, quoted or in your words.',
  example: 'Revenue for 2025 was EUR 12.4m.',
})
const ReportedSource = text({
  min: 1,
  max: 200,
  description: 'Id or name of the document.',
  example: 'annual-report-2025',
})

export const CreateContradictionBody = z
  .strictObject({
    scope_id: ScopeId,
    claim_a: ReportedClaim,
    claim_b: ReportedClaim,
    source_a: ReportedSource,
    source_b: ReportedSource,
    severity: Severity,
    note: text({ min: 1, max: 2000, description: 'A note for the person who resolves it.' }).optional(),
  })
  .meta({ id: 'CreateContradictionBody' })

/** A reported side may name a document that Concord has never seen, so all that points into one may be null. */
const Side = z
  .strictObject({
    source: z.string().meta({ description: 'Name of the document, or the name that the reporter used.' }),
    document_id: DocumentId.nullable().meta({
      description: 'The document of this side; null if a report names none that exists in the scope.',
    }),
    version: Count.nullable().meta({
      description: 'The version of the document; null if no document is known.',
    }),
    claim_id: ClaimId.nullable().meta({
      description: 'The claim of this side; null if the side was reported.',
    }),
    quote: span.quote,
    start: span.start.nullable().meta({
      description: 'Offset of the first character of the quote in the text; null if the side was reported.',
    }),
    end: span.end.nullable().meta({
      description: 'Offset after the last character of the quote; null if the side was reported.',
    }),
    location: Location,
    value: ClaimValue.nullable().meta({
      description: 'The value of the side, in a form that can be compared; null if it was reported.',
    }),
    asserted_at: AssertedAt.nullable().meta({
      description: 'The date of the statement, according to the document; null if it has none.',
    }),
  })
  .meta({
    id: 'ContradictionSide',
    description: 'The statement of one side and its position in the document.',
  })

const Difference = z
  .strictObject({
    amount: z
      .number()
      .min(0)
      .meta({ description: 'The difference between the nearest ends of both values.' }),
    unit: z.string().meta({ description: 'The unit of both values; `d`, days, between dates.' }),
    share: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'The difference as a share of the larger value; null between dates.' }),
  })
  .meta({ id: 'Difference' })

const By = text({
  min: 1,
  max: 200,
  description: 'The person who decided. Without it, the decision is attributed to the key.',
  example: 'j.doe@example.org',
})
const Reason = text({
  min: 1,
  max: 2000,
  description: 'Why.',
  example: 'The audited figure supersedes the draft.',
})

/** Only a resolution says which side holds; dismissing and reopening judge the finding, not the claims. */
export const ResolutionBody = z
  .discriminatedUnion('outcome', [
    z.strictObject({
      outcome: z.literal('resolved').meta({ description: 'Close it and say which side is right.' }),
      holds: Holds,
      by: By.optional(),
      reason: Reason,
    }),
    z.strictObject({
      outcome: z.literal('dismissed').meta({ description: 'Close it because it is not a contradiction.' }),
      by: By.optional(),
      reason: Reason,
    }),
    z.strictObject({
      outcome: z
        .literal('reopened')
        .meta({ description: 'Open it again because the earlier decision no longer applies.' }),
      by: By.optional(),
      reason: Reason,
    }),
  ])
  .meta({ id: 'ResolutionBody' })

export const DecidedBy = z.enum(['policy', 'person', 'evidence']).meta({
  id: 'DecidedBy',
  description:
    '`person`: a person with a key; `policy`: a policy; `evidence`: a document that arrived later.',
})

/** The person and reason of a decision. */
export const attribution = {
  decided_by: DecidedBy,
  actor: z.string().nullable().meta({
    description: 'Prefix of the key that was used, or another actor. Null if no request caused it.',
  }),
  by: z
    .string()
    .nullable()
    .meta({ description: 'The person who decided, as named in the request; null if none was named.' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'The reason, as given in the request; null if none was given.' }),
}

const Resolution = z
  .strictObject({
    outcome: z.enum(['resolved', 'dismissed', 'reopened']).meta({
      description:
        '`resolved`: the decision says which side is right. `dismissed`: the decision says that it is not a ' +
        'contradiction. `reopened`: the decision withdraws an earlier one.',
    }),
    holds: Holds.nullable().meta({
      description: 'Which side is right; null unless the outcome is `resolved`.',
    }),
    ...attribution,
    decision_id: DecisionId,
    decided_at: Timestamp,
  })
  .meta({ id: 'Resolution' })

export const Contradiction = z
  .strictObject({
    contradiction_id: ContradictionId,
    scope_id: ScopeId,
    status: ContradictionStatus,
    relation: Relation,
    kind: ContradictionKind,
    title: z
      .string()
      .nullable()
      .meta({
        description: 'The subject in one line. Null unless a language model found it.',
        examples: ['Headcount at 31 March 2025: 187 or 203?'],
      }),
    entity: z.string().nullable().meta({
      description: 'The subject of both sides, such as a company; null if the text does not say.',
    }),
    attribute: z.string().nullable().meta({
      description: 'The property that both sides state, such as revenue; null if the text does not say.',
    }),
    period: Period.nullable().meta({
      description: 'The period that both sides are about; null if the text does not say.',
    }),
    severity: Severity,
    confidence: Share.nullable().meta({
      description: 'The probability that a person would call it a contradiction. Null if it was reported.',
    }),
    internal: z.boolean().meta({ description: 'Whether both sides are in the same document.' }),
    a: Side.meta({
      description: 'One side: of a change the earlier one, of a restatement the one that is corrected.',
    }),
    b: Side.meta({
      description: 'The other side: of a change the later one, of a restatement the one that corrects.',
    }),
    difference: Difference.nullable().meta({
      description: 'The difference of the values; null if they are not numbers, or in different units.',
    }),
    explanation: z
      .string()
      .meta({ description: 'What the two sides disagree about, in one or two sentences.' }),
    further: Count.meta({
      description: 'The number of other places in the documents that state the same as either side.',
    }),
    note: z.string().nullable().meta({
      description: 'The note of the reporter; null if there is none or it was not reported.',
    }),
    decided_by: z
      .string()
      .meta({ description: 'The rule, model or reporter that found it.', examples: ['value'] }),
    opened_at: Timestamp,
    updated_at: Timestamp,
    resolution: Resolution.nullable().meta({
      description: 'The last decision about it; null if there is none.',
    }),
  })
  .meta({ id: 'Contradiction' })
