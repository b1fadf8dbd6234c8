/** Tags and metadata of documents: what a tenant sorts and finds documents by. */
import { z } from 'zod'
import { text } from '../text.ts'

/** A comma is left free, so that a list of tags can be written on one line. */
export const DocumentTag = text({
  min: 1,
  max: 50,
  pattern: /^[^,]+$/,
  description: 'A tag to filter documents by; any characters except commas.',
  example: 'lease',
})

/** No colon, so that a pair of key and value can be written as one text. */
const METADATA_KEY = '[A-Za-z0-9][A-Za-z0-9_.-]{0,39}'

const MetadataKey = text({
  min: 1,
  max: 40,
  pattern: new RegExp(`^${METADATA_KEY}$`),
  description: 'Letters, digits, `_`, `.` and `-`; not `constructor` or `prototype`.',
  example: 'counterparty',
})

const MetadataValue = text({ min: 1, max: 200, description: 'Any text.', example: 'Borealis Ltd' })

/** The largest number of tags of one document, and of its name-value pairs. */
const MAX_LABELS = 20

export const Tags = z
  .array(DocumentTag)
  .max(MAX_LABELS)
  .meta({ description: 'Tags to filter documents by; at most 20, each once.', examples: [['lease', '2025']] })

export const Metadata = z.record(z.string(), z.string()).meta({
  description: 'Your own name-value pairs; at most 20.',
  examples: [{ counterparty: 'Borealis Ltd' }],
})

export const MetadataFilter = text({
  min: 3,
  max: 241,
  pattern: new RegExp(`^${METADATA_KEY}:[^]+$`),
  description: 'Only documents whose metadata has exactly this value under this key: `key:value`.',
  example: 'counterparty:Borealis Ltd',
})

export const MetadataChange = z.record(MetadataKey, MetadataValue.nullable()).meta({
  description:
    'Each text is set under its name, null removes it, other names stay; at most 20 in all. The names `constructor` and ' +
    '`prototype` are refused (400, `malformed_json`), as in every body.',
  examples: [{ counterparty: 'Borealis Ltd', draft: null }],
})

/** The metadata that comes with a document. There is nothing to remove yet, so no value is null. */
const NewMetadata = z.record(MetadataKey, MetadataValue).check(({ value, issues }) => {
  if (Object.keys(value).length <= MAX_LABELS) return
  issues.push({
    code: 'custom',
    input: value,
    params: { code: 'too_big' },
    message: `Send at most ${MAX_LABELS} name-value pairs.`,
  })
})

const ABOUT_TAGS =
  'Tags to filter documents by; at most 20, each once. Tags and metadata replace those of the document if you send either.'
const ABOUT_METADATA = 'Your own name-value pairs; at most 20.'
const EXAMPLE = { counterparty: 'Borealis Ltd' }

/** The fields of a body that brings a document. */
export const LabelFields = {
  tags: Tags.optional().meta({ description: ABOUT_TAGS }),
  metadata: NewMetadata.optional().meta({
    description: ABOUT_METADATA,
    maxProperties: MAX_LABELS,
    examples: [EXAMPLE],
  }),
}

const NO_JSON = `Send an object in JSON, such as ${JSON.stringify(EXAMPLE)}.`

function onWire(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input' })
  return described
}

/** The same in a query, which carries text only: tags with commas between, and metadata as JSON. */
export const LabelQuery = {
  tags: z
    .string()
    .transform((sent) => sent.split(','))
    .pipe(Tags)
    .optional()
    .meta({
      wire: {
        description: ABOUT_TAGS,
        anyOf: [
          onWire(DocumentTag),
          { type: 'array', minItems: 1, maxItems: MAX_LABELS, items: onWire(DocumentTag) },
        ],
      },
    }),
  metadata: z
    .string()
    .transform((sent, context): unknown => {
      try {
        return JSON.parse(sent)
      } catch {
        context.issues.push({ code: 'custom', input: sent, params: { code: 'wrong_type' }, message: NO_JSON })
        return z.NEVER
      }
    })
    .pipe(NewMetadata)
    .optional()
    .meta({
      wire: {
        description: `${ABOUT_METADATA} As a JSON object.`,
        type: 'object',
        maxProperties: MAX_LABELS,
        propertyNames: onWire(MetadataKey),
        additionalProperties: onWire(MetadataValue),
        examples: [EXAMPLE],
      },
    }),
}
