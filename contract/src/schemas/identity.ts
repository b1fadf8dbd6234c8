/** Names of things: tenants, keys, scopes, what a scope holds, and the cursor that walks through lists of them. */
import { z } from 'zod'
import { mapRecord } from '../keys.ts'
import { text } from '../text.ts'

export const ScopeId = text({
  min: 1,
  max: 120,
  pattern: /^[a-z0-9][a-z0-9-]*$/,
  description:
    'Names a scope within its tenant: lowercase letters and digits, hyphens after the first character.',
  example: 'acme-due-diligence',
}).meta({ id: 'ScopeId' })

/** A version 4 UUID: 122 random bits, so that knowing one tenant tells nothing of another. */
export const TenantId = uuid('Names a tenant.', '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66').meta({
  id: 'TenantId',
})

/**
 * The sender may choose it, so it is any text; in a path it is percent-encoded. Not `.` or `..`: every client that normalises addresses
 * takes these out of a path, encoded or not, so such a document could never be read or removed.
 */
export const DocumentId = text({
  min: 1,
  max: 200,
  refused: ['.', '..'],
  description: 'Names a document within its scope. Not `.` or `..`, which no path can name.',
  example: 'annual-report-2025',
}).meta({ id: 'DocumentId' })

export const ClaimId = uuid('Names a claim.', '0b6f2a17-93c4-4e0d-8f55-6a1d2c3b4e5f').meta({ id: 'ClaimId' })

export const ContradictionId = uuid('Names a contradiction.', 'c2d9e1f0-7a4b-4c8e-b6d3-15f0a9e8d7c6').meta({
  id: 'ContradictionId',
})

export const DecisionId = uuid('Names a decision.', '91e4c7a2-5d3f-4b60-a8c1-7f2e6d5b4a39').meta({
  id: 'DecisionId',
})

export const CertificateId = uuid('Names a certificate.', '01990b3e-5c1d-7f24-8a6b-2d3c4e5f6071').meta({
  id: 'CertificateId',
})

function uuid(description: string, example: string): z.ZodString {
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
  return text({ min: 36, max: 36, pattern, description, example })
}

export const KeyId = text({
  min: 10,
  max: 10,
  pattern: /^[0-9A-Za-z]{10}$/,
  description: 'Names a key; it is the part of the key before the secret.',
  example: '4kT9xQ2mZb',
}).meta({ id: 'KeyId' })

export const Timestamp = z.iso
  .datetime({ offset: false })
  .meta({ id: 'Timestamp', description: 'An instant in UTC.', examples: ['2026-11-15T09:30:00.000Z'] })

/** In a request, with any offset. A `+` that was not percent-encoded in a query arrives as a space. */
export const instant = (description: string) =>
  z
    .string()
    .transform((value) => value.replace(/ (?=\d\d:\d\d$)/, '+'))
    .pipe(z.iso.datetime({ offset: true }))
    .meta({
      wire: {
        type: 'string',
        format: 'date-time',
        description: `${description} With \`Z\` or an offset such as \`+01:00\`.`,
        examples: ['2026-11-15T10:30:00+01:00'],
      },
    })

export const Seq = z
  .int()
  .min(0)
  .meta({ id: 'Seq', description: "A position in the scope's log, which has no gaps." })

export const Count = z.int().min(0)

/** A count for each name of a closed list, given what each of them counts. */
export function countsOf<Name extends string>(
  meanings: Readonly<Record<Name, string>>,
): Record<Name, typeof Count> {
  return mapRecord(meanings, (description) => Count.meta({ description }))
}

export const scopeParams = z.strictObject({ scopeId: ScopeId })
export const tenantParams = z.strictObject({ tenantId: TenantId })
export const keyParams = z.strictObject({ tenantId: TenantId, keyId: KeyId })
export const documentParams = z.strictObject({ scopeId: ScopeId, documentId: DocumentId })
export const contradictionParams = z.strictObject({ scopeId: ScopeId, contradictionId: ContradictionId })

/**
 * Query strings carry text only, so the page size arrives as digits. `wire` is what the OpenAPI document says
 * of it: the value as the caller thinks of it.
 */
const limit = (fallback: number) =>
  z
    .string()
    .regex(/^(?:[1-9][0-9]?|100)$/, 'Send a whole number from 1 to 100.')
    .transform(Number)
    .default(fallback)
    .meta({
      wire: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        default: fallback,
        description: 'Maximum number of items on a page.',
      },
    })

const Cursor = text({
  min: 1,
  // A document id of 200 characters, every one escaped, is 1,600 characters of base64.
  max: 2_000,
  pattern: /^[A-Za-z0-9_-]+$/,
  description: 'Opaque position in the list: `next_cursor` of the previous page.',
})

export const pageQuery = z.strictObject({ limit: limit(50), cursor: Cursor.optional() })

/** The query of the versions that are shown with a document. */
export const versionsQuery = z.strictObject({
  versions_limit: limit(20),
  versions_cursor: Cursor.meta({
    description: '`next_versions_cursor` of the previous page.',
  }).optional(),
})

/** A page of a list; `next_cursor` is null on the last one. */
export function pageOf<Item extends z.ZodType>(
  item: Item,
): z.ZodObject<{
  items: z.ZodArray<Item>
  next_cursor: z.ZodNullable<z.ZodString>
}> {
  return z.strictObject({
    items: z.array(item).meta({ description: 'The items of this page, in the order of the list.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` for the next page; null on the last page.' }),
  })
}
