/**
 * A fault: something the caller did or asked that cannot be granted, as a code of the closed table. The public
 * text belongs to the code; `internal` is for the log alone, so nothing private can leak by accident.
 */
import type { FieldFault, ProblemCode } from '@concord/contract'

export interface FaultOptions {
  readonly fields?: readonly FieldFault[]
  readonly headers?: Readonly<Record<string, string>>
  readonly internal?: string
  readonly cause?: unknown
}

export class Fault extends Error {
  readonly code: ProblemCode
  readonly fields: readonly FieldFault[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, options: FaultOptions = {}) {
    super(options.internal ?? code, { cause: options.cause })
    this.name = 'Fault'
    this.code = code
    this.fields = options.fields
    this.headers = options.headers ?? {}
  }
}
