/** Contradictions: two claims that cannot both hold, with the evidence on either side and what became of them. */
import { z } from 'zod'
import { text } from '../text.ts'
import { AssertedAt, ClaimKind, ClaimValue, Location, Period, Share, span } from './claims.ts'
import { ClaimId, ContradictionId, Count, DecisionId, DocumentId, ScopeId, Timestamp } from './identity.ts'

export const Severity = z.enum(['low', 'medium', 'high', 'critical']).meta({
  id: 'Severity',
  description:
    'How much it matters if it is a contradiction; while one of severity `high` or `critical` is open, the scope is `contested`.',
})

export const ContradictionStatus = z.enum(['open', 'resolved', 'dismissed']).meta({
  id: 'ContradictionStatus',
  description:
    '`open`: nothing is decided. `resolved`: a decision says which side holds. `dismissed`: a decision says that it is no contradiction.',
})

export const ContradictionOrder = z.enum(['newest', 'severity']).meta({
  id: 'ContradictionOrder',
  description:
    '`newest`: the last opened first. `severity`: the most severe first; of these the one of the highest confidence, where a reported one counts ' +
    'as 1; of these the last opened.',
})

export const ContradictionKind = z.enum([...ClaimKind.options, 'reported']).meta({
  id: 'ContradictionKind',
  description: 'Of both claims; `reported` where a person or another system said so.',
})

export const Relation = z.enum(['conflict', 'restatement', 'change']).meta({
  id: 'Relation',
  description:
    '`conflict`: both cannot hold; `restatement`: one side says that it takes the place of the other; `change`: both held, ' +
    'one after the other.',
})

export const Holds = z.enum(['a', 'b', 'both', 'neither']).meta({
  id: 'Holds',
  description: 'Which side holds; `both` when they turned out to be compatible.',
})

const ReportedClaim = text({
  min: 1,
  max: 2000,
  description: 'What the document says, in your words or its own.',
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
    note: text({ min: 1, max: 2000, description: 'For whoever resolves it.' }).optional(),
  })
  .meta({ id: 'CreateContradictionBody' })

/** A reported side may name a document that Concord has never seen, so all that points into one may be null. */
const Side = z
  .strictObject({
    source: z.string().meta({ description: 'Name of the document, or what the reporter called it.' }),
    document_id: DocumentId.nullable().meta({
      description: 'The document that says it; null where a report names none that Concord has.',
    }),
    version: Count.nullable().meta({
      description: 'The version of the document that says it; null where no document is known.',
    }),
    claim_id: ClaimId.nullable().meta({
      description: 'The claim that says it; null where the side was reported.',
    }),
    quote: span.quote,
    start: span.start.nullable().meta({
      description:
        'Offset of the first character of the quote in the text; null where the side was reported.',
    }),
    end: span.end.nullable().meta({
      description: 'Offset after the last character of the quote; null where the side was reported.',
    }),
    location: Location,
    value: ClaimValue.nullable().meta({
      description: 'What the side says, in a form that can be compared; null where it was reported.',
    }),
    asserted_at: AssertedAt.nullable().meta({
      description: 'The day on which the document says so, by its own words; null where it names none.',
    }),
  })
  .meta({ id: 'ContradictionSide', description: 'What one side says, and where it says it.' })

const Difference = z
  .strictObject({
    amount: z.number().min(0).meta({ description: 'Between the nearest ends of both values.' }),
    unit: z.string().meta({ description: 'That of both values; `d`, days, between dates.' }),
    share: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Of the larger of the two; null between dates.' }),
  })
  .meta({ id: 'Difference' })

const By = text({
  min: 1,
  max: 200,
  description: 'The person who decided, where it is not the key alone that stands for it.',
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
      outcome: z.literal('resolved').meta({ description: 'Close it and say which side holds.' }),
      holds: Holds,
      by: By.optional(),
      reason: Reason,
    }),
    z.strictObject({
      outcome: z.literal('dismissed').meta({ description: 'Close it because it is no contradiction.' }),
      by: By.optional(),
      reason: Reason,
    }),
    z.strictObject({
      outcome: z
        .literal('reopened')
        .meta({ description: 'Open it again because the earlier decision no longer stands.' }),
      by: By.optional(),
      reason: Reason,
    }),
  ])
  .meta({ id: 'ResolutionBody' })

export const DecidedBy = z.enum(['policy', 'person', 'evidence']).meta({
  id: 'DecidedBy',
  description:
    '`person`: somebody with a key; `policy`: a rule that an administrator wrote; `evidence`: a document that came later.',
})

/** The person and reason of a decision. */
export const attribution = {
  decided_by: DecidedBy,
  actor: z.string().nullable().meta({
    description: 'Prefix of the key that was used, or who else it was. Null where nobody asked for it.',
  }),
  by: z
    .string()
    .nullable()
    .meta({ description: 'The person who was named as the one who decided; null where nobody was named.' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why, in the words of whoever decided; null where no reason was given.' }),
}

const Resolution = z
  .strictObject({
    outcome: z.enum(['resolved', 'dismissed', 'reopened']).meta({
      description:
        '`resolved`: it says which side holds. `dismissed`: it says that there is no contradiction. `reopened`: it takes an earlier decision back.',
    }),
    holds: Holds.nullable().meta({ description: 'Which side holds; null unless the outcome is `resolved`.' }),
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
        description: 'What it is about, in one line. Null unless a language model found it.',
        examples: ['Headcount at 31 March 2025: 187 or 203?'],
      }),
    entity: z.string().nullable().meta({
      description: 'What both sides are about, such as a company; null where the text does not say.',
    }),
    attribute: z.string().nullable().meta({
      description: 'What both sides say of it, such as its revenue; null where the text does not say.',
    }),
    period: Period.nullable().meta({
      description: 'The time that both sides are about; null where the text does not say.',
    }),
    severity: Severity,
    confidence: Share.nullable().meta({
      description: 'That a person would call it one. Null where it was reported.',
    }),
    internal: z.boolean().meta({ description: 'Both sides are of one document.' }),
    a: Side.meta({
      description: 'One side: of a change the earlier one, of a restatement the one that is corrected.',
    }),
    b: Side.meta({
      description: 'The other side: of a change the later one, of a restatement the one that corrects.',
    }),
    difference: Difference.nullable().meta({
      description: 'Null where the values are not measured, or in different units.',
    }),
    explanation: z
      .string()
      .meta({ description: 'What the two sides disagree about, in one or two sentences.' }),
    further: Count.meta({ description: 'In how many more places the documents say what either side says.' }),
    note: z.string().nullable().meta({
      description: 'What whoever reported it added; null where nothing was added or it was not reported.',
    }),
    decided_by: z
      .string()
      .meta({ description: 'The rule, model or reporter that found it.', examples: ['value'] }),
    opened_at: Timestamp,
    updated_at: Timestamp,
    resolution: Resolution.nullable().meta({
      description: 'What was decided of it last; null while nothing was.',
    }),
  })
  .meta({ id: 'Contradiction' })
