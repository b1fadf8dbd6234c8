/**
 * A route, before any framework: an operation of the contract and the function that answers it. The
 * makers name who may enter; what enters and what leaves is checked against the operation's own types.
 */
import type { Readable } from 'node:stream'
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from '@concord/contract'
import type { Caller, TenantCaller } from '../domain/caller.ts'

export interface RouteInput<Op extends Operation, Who> {
  readonly who: Who
  readonly requestId: string
  /** By the monotonic clock: what is not done by then is answered 503. */
  readonly answerBy: number
  readonly params: ParamsOf<Op>
  readonly query: QueryOf<Op>
  readonly body: BodyOf<Op>
  /** Those that the operation reads, by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The media type, as it was sent. */
  readonly contentType?: string | undefined
}

export interface RouteAnswer {
  readonly status: number
  /** For an event stream, the source that will feed it. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** A body in JSON that was kept from an earlier request; it takes the place of `body`. */
  readonly text?: string
}

/** A file as it leaves: its media type is one that the operation names. */
export interface FileBody {
  readonly type: string
  readonly content: string | Buffer | Readable
}

/** Feeds an event stream until the signal is given; rejecting ends the stream. */
export type EventSource = (sink: EventSink) => Promise<void>

export interface EventSink {
  readonly signal: AbortSignal
  /** Resolves when the client is ready for more. */
  send(frames: readonly (EventFrame | PositionFrame)[]): Promise<void>
}

export interface EventFrame {
  readonly id?: string
  readonly event: string
  readonly data: unknown
}

/** No event, only a position: a client keeps it and tells nobody. */
export interface PositionFrame {
  readonly id: string
}

export type Entrance = 'anyone' | 'platform' | 'tenant'

/** A route as the server mounts it: its types were checked where it was made. */
export interface Route {
  readonly operation: Operation
  readonly entrance: Entrance
  /** As long as there is to do, and not only until the deadline of all others. */
  readonly takesLong?: boolean
  /** For a holder whose key was live when the operator's keys were last read, also while the database is away. */
  readonly answersInOutage?: boolean
  answer(input: RouteInput<Operation, unknown>): Promise<RouteAnswer>
}

/** The result has a type of its own so that a status written in a handler keeps its literal type. */
type Handler<Op extends Operation, Who, Result> = (input: RouteInput<Op, Who>) => Result | Promise<Result>

/** No credential. */
export function openRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  operation: Op,
  handle: Handler<Op, undefined, Result>,
): Route {
  return make(operation, 'anyone', handle)
}

/** An admin or internals key, as the operation's tier says. */
export function platformRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  operation: Op,
  handle: Handler<Op, Caller, Result>,
): Route {
  return make(operation, 'platform', handle)
}

/** A holder who may have proved to act for a tenant as well, where the operation leaves that open. */
export interface HolderOrTenant extends Caller {
  readonly tenantId?: string
}

/** An admin or internals key, and the key of a tenant beside it if the caller sends one. */
export function platformOrTenantRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  operation: Op,
  handle: Handler<Op, HolderOrTenant, Result>,
): Route {
  return make(operation, 'platform', handle)
}

/** A tenant proved by its key, alone or beside an admin key, as the operation's tier says. */
export function tenantRoute<Op extends Operation, const Result extends AnswerOf<Op>>(
  operation: Op,
  handle: Handler<Op, TenantCaller, Result>,
): Route {
  return make(operation, 'tenant', handle)
}

/** The time of the operation grows with what there is, so its caller waits for it. */
export function takingLong(route: Route): Route {
  return { ...route, takesLong: true }
}

/** It tells how the service is, so it must answer when the service is not well. */
export function answeringInOutage(route: Route): Route {
  return { ...route, answersInOutage: true }
}

/** A stream for a tenant: the source is made once the caller is known, and fails before the first byte if it must. */
export function tenantStream<Op extends Operation>(
  operation: Op,
  open: (input: RouteInput<Op, TenantCaller>) => EventSource | Promise<EventSource>,
): Route {
  return make(operation, 'tenant', async (input: RouteInput<Op, TenantCaller>) => ({
    status: 200,
    body: await open(input),
  }))
}

/** A file for a tenant, with the headers that go with it. */
export function tenantFile<Op extends Operation>(
  operation: Op,
  write: (input: RouteInput<Op, TenantCaller>) => Promise<{
    readonly file: FileBody
    readonly headers: Readonly<Record<string, string>>
  }>,
): Route {
  return make(operation, 'tenant', async (input: RouteInput<Op, TenantCaller>) => {
    const { file, headers } = await write(input)
    return { status: 200, body: file, headers }
  })
}

/** A stream for the operator. */
export function platformStream<Op extends Operation>(
  operation: Op,
  open: (input: RouteInput<Op, Caller>) => EventSource | Promise<EventSource>,
): Route {
  return make(operation, 'platform', async (input: RouteInput<Op, Caller>) => ({
    status: 200,
    body: await open(input),
  }))
}

function make<Op extends Operation, Who, Result extends RouteAnswer>(
  operation: Op,
  entrance: Entrance,
  handle: Handler<Op, Who, Result>,
): Route {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The server hands in exactly what the operation's schemas produced, so the narrower type holds.
  const answer = async (input: RouteInput<Operation, unknown>) => handle(input as RouteInput<Op, Who>)
  return { operation, entrance, answer }
}
