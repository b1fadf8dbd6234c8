/** The face of the package. */
export type { Call, EventOf, ListCall, StreamCall } from './calls.ts'
export type { Concord } from './client.ts'
export { createClient } from './client.ts'
export {
  ConcordError,
  ConcordProblem,
  ConnectionFailed,
  CredentialMissing,
  DocumentNotProcessed,
  isProblem,
  TimedOut,
  UnexpectedAnswer,
} from './errors.ts'
export type * from './generated/methods.ts'
export type { OperationName } from './generated/operations.ts'
export type * from './generated/schemas.ts'
export type { ClientOptions, RequestOptions, RetryPolicy } from './options.ts'
export type { RawAnswer } from './requests.ts'
export type { EventStream, ResyncNotice, StreamOptions } from './streaming.ts'
export type { Waiting, WaitOptions, WaitTarget } from './waiting.ts'
