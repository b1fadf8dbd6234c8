/** Callbacks that store the answer of a change with an idempotency key in the transaction of the change. */
import type { TenantTransaction } from '../store/transaction.ts'

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The answer as it was sent, byte for byte. */
  readonly text: string
}

/** Called with the result at the end of the transaction of the change. */
export type StoreResult<Result> = (
  transaction: TenantTransaction,
  scopeId: string,
  result: Result,
) => Promise<void>

/** Stores an answer in the given transaction. */
export type StoreAnswer = StoreResult<StoredAnswer>
