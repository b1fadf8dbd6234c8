/**
 * A fault is an error for the caller, with a code of the closed table. The code determines the public text. `internal`
 * goes only to the log, so nothing private can leak by accident.
 */
import type { FieldFault, ProblemCode } from '@concord/contract'

export interface FaultOptions {
  readonly fields?: readonly FieldFault[]
  readonly headers?: Readonly<Record<string, string>>
  readonly internal?: string
  /** A fixed sentence without content of the caller. It ends the detail of the answer, where one code has several reasons. */
  readonly reason?: string
  readonly cause?: unknown
}

export class Fault extends Error {
  readonly code: ProblemCode
  readonly fields: readonly FieldFault[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly reason: string | undefined

  constructor(code: ProblemCode, options: FaultOptions = {}) {
    super(options.internal ?? options.reason ?? code, { cause: options.cause })
    this.name = 'Fault'
    this.code = code
    this.fields = options.fields
    this.headers = options.headers ?? {}
    this.reason = options.reason
  }
}
