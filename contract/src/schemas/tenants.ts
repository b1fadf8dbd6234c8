/** Tenants and their keys. A secret appears in exactly one answer, the one that made it. */
import { z } from 'zod'
import { text } from '../text.ts'
import { instant, KeyId, TenantId, Timestamp } from './identity.ts'

/** The specification bounds the name below only; above, the limit of the body does. */
export const CreateTenantRequest = z
  .strictObject({
    name: text({ min: 1, description: 'Display name of the tenant.', example: 'Acme Capital' }),
  })
  .meta({ id: 'CreateTenantRequest' })

export const CreateTenantResponse = z
  .looseObject({
    tenant_id: TenantId,
    api_key: z.string().meta({ description: 'The whole key. It is shown only once.' }),
    key_prefix: z.string().meta({ description: 'The part of the key before its secret; safe to log.' }),
    message: z.string().meta({ description: 'What happened, for people to read; the wording may change.' }),
  })
  .meta({ id: 'CreateTenantResponse' })

export const Tenant = z
  .strictObject({
    tenant_id: TenantId,
    name: z.string().meta({ description: 'Display name of the tenant.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Tenant' })

const KeyStatus = z.enum(['live', 'expired', 'revoked']).meta({
  id: 'KeyStatus',
  description:
    '`live`: the key is accepted. `expired`: its `expires_at` has passed. `revoked`: it was revoked and stays so.',
})

export const Key = z
  .strictObject({
    key_id: KeyId,
    key_prefix: z.string().meta({ description: 'The part of the key before its secret; safe to log.' }),
    name: z.string().nullable().meta({ description: 'Where the key is used; null if it has no name.' }),
    status: KeyStatus,
    created_at: Timestamp,
    created_by: z.string().meta({ description: 'The key prefix, or the operator, that issued it.' }),
    expires_at: Timestamp.nullable().meta({
      description: 'When the key expires; null if it never does.',
    }),
    revoked_at: Timestamp.nullable().meta({
      description: 'When the key was revoked; null if it was not.',
    }),
    last_used_at: Timestamp.nullable().meta({
      description: 'When a request last used the key, accurate to about a minute; null if none has.',
    }),
  })
  .meta({ id: 'Key' })

const KeyName = text({ min: 1, max: 200, description: 'Where the key is used.', example: 'nightly job' })

export const IssueKeyBody = z
  .strictObject({
    name: KeyName.optional(),
    expires_at: instant('In the future; the key never expires without it.').optional(),
  })
  .meta({ id: 'IssueKeyBody' })

export const RotateKeyBody = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(2_592_000).default(86_400).meta({
      description: 'How long the old key continues to work beside the new one.',
    }),
    expires_at: instant(
      'Expiry of the new key. Left out, a key that expires is replaced by one with the same lifetime, counted from now.',
    ).optional(),
  })
  .meta({ id: 'RotateKeyBody' })

export const IssuedKey = z
  .strictObject({
    key_id: KeyId,
    api_key: z.string().meta({ description: 'The whole key. It is shown only once.' }),
    key_prefix: z.string().meta({ description: 'The part of the key before its secret; safe to log.' }),
    expires_at: Timestamp.nullable().meta({
      description: 'When the key expires; null if it never does.',
    }),
    message: z.string().meta({ description: 'What happened, for people to read; the wording may change.' }),
  })
  .meta({ id: 'IssuedKey' })

export const RotatedKey = IssuedKey.extend({
  replaces: KeyId,
  replaced_expires_at: Timestamp,
}).meta({ id: 'RotatedKey' })
