/** The shape of an operation: one row of the contract, from which routes, documents and clients are derived. */
import type { z } from 'zod'
import type { EventKind } from './events.ts'
import type { ProblemCode } from './problems.ts'

/** The tier that may enter. `open` needs no credential; the others are the three tiers of the service. */
export type Tier = 'open' | 'public' | 'admin' | 'internals'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The body of a success: a JSON schema, a server-sent event stream, a page for people, or a file in one of `files`. */
export type AnswerBody = z.ZodType | 'event-stream' | 'html' | 'file'

export type AnswersByStatus = Readonly<Record<number, AnswerBody>>

/** A path that still works but will go: announced with Deprecation, Sunset and Link headers (RFC 9745, 8594). */
export interface DeprecatedAlias {
  readonly path: string
  /** ISO dates. */
  readonly deprecatedOn: string
  readonly sunsetOn: string
}

export interface Operation<
  Name extends string = string,
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Success extends AnswersByStatus = AnswersByStatus,
  Served extends boolean = boolean,
> {
  /** The one name of this operation, in the OpenAPI file, the code, the client and the logs. */
  readonly name: Name
  readonly method: Method
  /** With `{parameters}` as OpenAPI writes them. */
  readonly path: string
  readonly tier: Tier
  readonly summary: string
  readonly description: string
  /** False while the operation is only designed: it is then neither mounted nor in the served document. */
  readonly served: Served
  /** True for a route that the specification does not have. */
  readonly extension?: boolean
  /** Needs no credential although its tier does. */
  readonly anonymous?: boolean
  /** The tenant key is required in X-Tenant-API-Key beside the bearer credential. */
  readonly tenantKey?: boolean
  /** X-Tenant-API-Key may be sent beside the bearer credential; the description says what it then means. */
  readonly tenantKeyOptional?: boolean
  /** On the public tier X-Tenant-ID is optional unless the specification requires it. */
  readonly tenantIdRequired?: boolean
  readonly params?: Params
  readonly query?: Query
  /** Headers that the operation reads, beyond those of its tier. All of them may be left out. */
  readonly requestHeaders?: Readonly<Record<string, z.ZodType>>
  readonly body?: Body
  /** The body is a file in one of these, handed on as its bytes; JSON where nothing is said. */
  readonly bodyMediaTypes?: readonly string[]
  /** The body may be left out altogether. */
  readonly bodyOptional?: boolean
  /** In bytes; `defaultBodyLimit` where nothing is said. */
  readonly bodyLimit?: number
  /** Puts documents into the queue. */
  readonly queues?: boolean
  readonly answers: Success
  /** Response headers worth documenting, with what they say. */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** The problems of an operation beyond what every route of the tier shares. */
  readonly problems: readonly ProblemCode[]
  readonly aliases?: readonly DeprecatedAlias[]
  /** The answer carries an ETag, and is a 304 where If-None-Match still names it. */
  readonly conditional?: boolean
  /** The forms of a file by media type. The schema is that of a form in JSON. */
  readonly files?: Readonly<Record<string, 'text' | 'binary' | z.ZodType>>
  /** The kinds of event that an event stream carries. */
  readonly events?: readonly EventKind[]
  /** The answer holds a secret or a momentary state: no cache may keep it. */
  readonly noStore?: boolean
  /** The answer holds a secret, which is not stored, so it cannot be given again: an Idempotency-Key is refused. */
  readonly showsSecret?: boolean
}

/** 16 KiB: enough for any body that carries no document. */
export const defaultBodyLimit = 16_384

/** Keeps the literal types of a row, so that a handler is checked against its own operation. */
export function operation<
  const Name extends string,
  const Success extends AnswersByStatus,
  const Served extends boolean,
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  row: Operation<Name, Params, Query, Body, Success, Served>,
): Operation<Name, Params, Query, Body, Success, Served> {
  return Object.freeze(row)
}

/** An optional property reads as "or undefined"; what is left without that is the schema, or nothing at all. */
type Parsed<Schema> = [NonNullable<Schema>] extends [never]
  ? undefined
  : NonNullable<Schema> extends z.ZodType
    ? z.output<NonNullable<Schema>>
    : undefined

export type ParamsOf<Op extends Operation> = Parsed<Op['params']>
export type QueryOf<Op extends Operation> = Parsed<Op['query']>
export type BodyOf<Op extends Operation> = Parsed<Op['body']>

/** Every answer the operation may give, as status and body together. */
export type AnswerOf<Op extends Operation> = {
  [Status in keyof Op['answers'] & number]: Op['answers'][Status] extends z.ZodType
    ? {
        readonly status: Status
        readonly body: z.input<Op['answers'][Status]>
        readonly headers?: Readonly<Record<string, string>>
      }
    : never
}[keyof Op['answers'] & number]
