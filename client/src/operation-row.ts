/** The facts that the client must know of an operation to call it; the rows are written from the OpenAPI document. */
export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{parameters}` as OpenAPI writes them. */
  readonly path: string
  /** Whose key is the bearer credential. */
  readonly bearer: 'nobody' | 'tenant' | 'admin' | 'internals'
  /** Whether the key of the tenant goes beside it; `with scope_id`: where the call is about one scope. */
  readonly tenantKey: 'no' | 'beside' | 'with scope_id'
  /** X-Tenant-ID is required. */
  readonly tenantId: boolean
  readonly query: readonly string[]
  readonly body: boolean
  /** The body is a file, passed as `file`. */
  readonly file?: boolean
  /** A request with the Idempotency-Key of an earlier one gets the first answer again. */
  readonly idempotencyKey?: boolean
  readonly reads: 'json' | 'text' | 'events' | 'file'
  /** Statuses that are an answer and no problem. */
  readonly answers: readonly number[]
}

/** Path, query and body of a call in one record. */
export type Input = Readonly<Record<string, unknown>>
