/** Policies: what a tenant lets happen by itself, in Cedar. */
import { z } from 'zod'
import { text } from '../text.ts'
import { Count, ScopeId, Timestamp } from './identity.ts'

export const PolicyText = text({
  max: 32_768,
  description:
    'Cedar policies, each with an id: `@id("…")`. The documentation has the schema and the built-in policies.',
  example:
    '@id("no-drafts")\nforbid (principal, action == Concord::Action::"admit_document", resource)\nwhen { resource.type == "draft" };',
})

/** A text at its longest, every character escaped, is 394 KB of JSON. */
export const POLICY_BODY_LIMIT = 524_288

export const PutPolicyBody = z.strictObject({ text: PolicyText }).meta({ id: 'PutPolicyBody' })

const PolicyVersion = z
  .strictObject({
    version: Count.meta({ description: 'Number of the version; the first is 1.' }),
    empty: z.boolean().meta({ description: 'Whether this version deleted the policies.' }),
    created_at: Timestamp,
    created_by: z.string().meta({ description: 'Prefix of the key.' }),
  })
  .meta({ id: 'PolicyVersion' })

export const Policy = z
  .strictObject({
    scope_id: ScopeId.nullable().meta({ description: 'The scope; null for the policies of the tenant.' }),
    version: Count.meta({ description: 'Number of the version; 0 if none was written.' }),
    text: z.string().meta({
      description: 'The text in force, in Cedar; empty if none was written or after it was deleted.',
    }),
    policy_hash: z.string().meta({
      description: 'SHA-256 in hexadecimal of the whole set that is evaluated, as in decisions.',
    }),
    created_at: Timestamp.nullable().meta({
      description: 'When this version was written; null while none was.',
    }),
    created_by: z
      .string()
      .nullable()
      .meta({ description: 'Prefix of the key that wrote this version; null while none was written.' }),
    default_text: z.string().meta({ description: 'The built-in policies, which always apply as well.' }),
    versions: z.array(PolicyVersion).meta({ description: 'The newest fifty, newest first.' }),
  })
  .meta({ id: 'Policy' })
