/** The parameters of a change that is made under an idempotency key, to keep its answer in its own transaction. */
import type { TenantTransaction } from '../store/transaction.ts'

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The answer as it was sent, byte for byte. */
  readonly text: string
}

/** Called in the transaction that creates, last of all, with what was created. */
export type KeepResult<Result> = (
  transaction: TenantTransaction,
  scopeId: string,
  result: Result,
) => Promise<void>

/** Keeps an answer in the transaction that is given. */
export type KeepAnswer = KeepResult<KeptAnswer>
