/**
 * A route is an operation of the contract with its handler, independent of the web framework. `openRoute`, `platformRoute`
 * and `tenantRoute` say which credential it requires. The compiler checks input and response against the operation.
 */
import type { Readable } from 'node:stream'
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from '@concord/contract'
import type { Caller, TenantCaller } from '../domain/caller.ts'

export interface RouteInput<Op extends Operation, Who> {
  readonly who: Who
  readonly requestId: string
  /** The deadline, by the monotonic clock: after it the caller gets 503. */
  readonly answerBy: number
  readonly params: ParamsOf<Op>
  readonly query: QueryOf<Op>
  readonly body: BodyOf<Op>
  /** The headers that the operation reads, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The Content-Type header, as sent. */
  readonly contentType?: string | undefined
}

export interface RouteAnswer {
  readonly status: number
  /** The response body; for an event stream, its `EventSource`. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** A stored JSON body of an earlier request with the same idempotency key. Sent instead of `body`. */
  readonly text?: string
}

/** A file as a response body. Its media type is one that the operation names. */
export interface FileBody {
  readonly type: string
  readonly content: string | Buffer | Readable
}

/** Writes events to a stream until its signal aborts. A rejection ends the stream. */
export type EventSource = (sink: EventSink) => Promise<void>

export interface EventSink {
  readonly signal: AbortSignal
  /** Resolves when the client can receive more (backpressure). */
  send(frames: readonly (EventFrame | PositionFrame)[]): Promise<void>
}

export interface EventFrame {
  readonly id?: string
  readonly event: string
  readonly data: unknown
}

/** A frame with an id and no event: the client stores the position and dispatches nothing. */
export interface PositionFrame {
  readonly id: string
}

export type RequiredAuth = 'none' | 'platform' | 'tenant'

/** A route as the server mounts it. Its types were checked where it was created. */
export interface Route {
  readonly operation: Operation
  readonly auth: RequiredAuth
  /** True if the operation has no deadline, because its duration grows with the data. */
  readonly takesLong?: boolean
  /** True if it also answers during a database outage, for keys that were valid when the operator keys were last read. */
  readonly answersInOutage?: boolean
  answer(input: RouteInput<Operation, unknown>): Promise<RouteAnswer>
}

/** Result is a type parameter, so that a status written in a handler keeps its literal type. */
type Handler<Op extends Operation, Who, Result> = (input: RouteInput<Op, Who>) => Result | Promise<Result>

/** A route that requires no credential. */
export function openRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  operation: Op,
  handle: Handler<Op, undefined, Result>,
): Route {
  return createRoute(operation, 'none', handle)
}

/** A route that requires an admin or internals key, as the operation's tier says. */
export function platformRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  operation: Op,
  handle: Handler<Op, Caller, Result>,
): Route {
  return createRoute(operation, 'platform', handle)
}

/** An operator that may also act for a tenant, where the operation accepts a tenant key as well. */
export interface HolderOrTenant extends Caller {
  readonly tenantId?: string
}

/** A route that requires an admin or internals key and also accepts a tenant key. */
export function platformOrTenantRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  operation: Op,
  handle: Handler<Op, HolderOrTenant, Result>,
): Route {
  return createRoute(operation, 'platform', handle)
}

/** A route that requires a tenant key, alone or with an admin key, as the operation's tier says. */
export function tenantRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  operation: Op,
  handle: Handler<Op, TenantCaller, Result>,
): Route {
  return createRoute(operation, 'tenant', handle)
}

/** Removes the deadline of a route whose duration grows with the data. */
export function takingLong(route: Route): Route {
  return { ...route, takesLong: true }
}

/** Lets a health route answer during a database outage. */
export function answeringInOutage(route: Route): Route {
  return { ...route, answersInOutage: true }
}

/** An event stream for a tenant. `open` runs after authentication and before the first byte, so it can still fail with a problem. */
export function tenantStream<Op extends Operation>(
  operation: Op,
  open: (input: RouteInput<Op, TenantCaller>) => EventSource | Promise<EventSource>,
): Route {
  return createRoute(operation, 'tenant', async (input: RouteInput<Op, TenantCaller>) => ({
    status: 200,
    body: await open(input),
  }))
}

/** A file download for a tenant, with its headers. */
export function tenantFile<Op extends Operation>(
  operation: Op,
  write: (input: RouteInput<Op, TenantCaller>) => Promise<{
    readonly file: FileBody
    readonly headers: Readonly<Record<string, string>>
  }>,
): Route {
  return createRoute(operation, 'tenant', async (input: RouteInput<Op, TenantCaller>) => {
    const { file, headers } = await write(input)
    return { status: 200, body: file, headers }
  })
}

/** An event stream for an operator. */
export function platformStream<Op extends Operation>(
  operation: Op,
  open: (input: RouteInput<Op, Caller>) => EventSource | Promise<EventSource>,
): Route {
  return createRoute(operation, 'platform', async (input: RouteInput<Op, Caller>) => ({
    status: 200,
    body: await open(input),
  }))
}

function createRoute<Op extends Operation, Who, Result extends RouteAnswer>(
  operation: Op,
  auth: RequiredAuth,
  handle: Handler<Op, Who, Result>,
): Route {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The server passes exactly what the operation's schemas produced, so the narrower type holds.
  const answer = async (input: RouteInput<Operation, unknown>) => handle(input as RouteInput<Op, Who>)
  return { operation, auth, answer }
}
