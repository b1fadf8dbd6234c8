/** Policies: what a tenant lets happen by itself, in Cedar. */
import { z } from 'zod'
import { text } from '../text.ts'
import { Count, ScopeId, Timestamp } from './identity.ts'

export const PolicyText = text({
  max: 32_768,
  description:
    'In Cedar, each policy with an id: `@id("…")`. See the schema and the ones that ship in the documentation.',
  example:
    '@id("no-drafts")\nforbid (principal, action == Concord::Action::"admit_document", resource)\nwhen { resource.type == "draft" };',
})

/** A text at its longest, every character escaped, is 394 KB of JSON. */
export const POLICY_BODY_LIMIT = 524_288

export const PutPolicyBody = z.strictObject({ text: PolicyText }).meta({ id: 'PutPolicyBody' })

const PolicyVersion = z
  .strictObject({
    version: Count.meta({ description: 'Number of the version; the first is 1.' }),
    empty: z.boolean().meta({ description: 'It took back what was written before.' }),
    created_at: Timestamp,
    created_by: z.string().meta({ description: 'Prefix of the key.' }),
  })
  .meta({ id: 'PolicyVersion' })

export const Policy = z
  .strictObject({
    scope_id: ScopeId.nullable().meta({ description: 'Null for that of the tenant.' }),
    version: Count.meta({ description: '0 while none was written.' }),
    text: z.string().meta({
      description: 'The text in force, in Cedar; empty while none was written or after it was taken back.',
    }),
    policy_hash: z.string().meta({
      description: 'Of the whole set that is asked, as decisions have it: SHA-256 in hexadecimal.',
    }),
    created_at: Timestamp.nullable().meta({
      description: 'When this version was written; null while none was.',
    }),
    created_by: z
      .string()
      .nullable()
      .meta({ description: 'Prefix of the key that wrote this version; null while none was written.' }),
    default_text: z.string().meta({ description: 'What ships, and always holds beside it.' }),
    versions: z.array(PolicyVersion).meta({ description: 'The newest fifty, newest first.' }),
  })
  .meta({ id: 'Policy' })
