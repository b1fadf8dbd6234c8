/** The common part of operations that answer the same request under the same Idempotency-Key with the first answer again. */
import { IdempotencyKey } from '../schemas/ingest.ts'

export const replayable = {
  requestHeaders: { 'Idempotency-Key': IdempotencyKey },
} as const

export const replayedHeader = {
  'Idempotency-Replayed': '`true` when this is the answer to an earlier request.',
} as const
