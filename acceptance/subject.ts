/**
 * The operation that a spec file is about: calls it as the contract describes it, and holds every answer against the
 * contract. It keeps count of the problems it was answered with, so that the file can show that none was left out.
 */
import { operations, problems, problemsOf } from '@concord/contract'
import type { AnswerOf, Operation, ProblemCode, ServedName } from '@concord/contract'
import { expect } from 'vitest'
import { expectHeaders, mediaTypesOf, parseAnswer } from './answers.ts'
import { openEventStream } from './http/event-stream.ts'
import type { AcceptanceEventStream } from './http/event-stream.ts'
import { exchange } from './http/exchange.ts'
import type { Reply, Request } from './http/exchange.ts'
import { expectProblemDocument } from './problem-document.ts'
import type { ProblemExpectation } from './problem-document.ts'
import { theTarget } from './target.ts'

/** Whatever is not given is as the operation has it. */
export interface SubjectCall {
  readonly params?: Readonly<Record<string, string>>
  /** Without the question mark, as it goes over the wire. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly bytes?: string | Buffer
  readonly chunked?: boolean
  readonly method?: string
  /** Instead of the path made from `params`. */
  readonly path?: string
  /** The process to ask; the next in turn where nothing is said. */
  readonly url?: string
}

/** Makes a call that succeeds. Asked anew each time, so that a call which uses something up can be made again. */
export type GoodCall = () => SubjectCall | Promise<SubjectCall>

/** The facts about an operation that the rules for many operations need. */
export interface Subject {
  readonly operation: Operation
  call(call: SubjectCall): Promise<Reply>
  /** The event stream that the call opens, for as long as it is wanted. */
  open(call: SubjectCall): Promise<AcceptanceEventStream>
  /** The answer has this status and the exact form the contract gives it. */
  expectForm(reply: Reply, status: number): unknown
  /** The call got as far as the operation itself: nothing in front of it had an objection. */
  expectLetIn(reply: Reply): void
  /** The answer is this problem, whole, and the contract says that the operation may answer so. */
  expectProblem(reply: Reply, code: ProblemCode, expected?: ProblemExpectation): void
  /** Every problem that `expectProblem` has seen so far. */
  provoked(): readonly ProblemCode[]
}

/** The same, with what it answers known by type. */
export interface NamedSubject<Op extends Operation> extends Subject {
  expectAnswer<Status extends AnswerOf<Op>['status']>(
    reply: Reply,
    status: Status,
  ): Extract<AnswerOf<Op>, { readonly status: Status }>['body']
}

export interface SubjectOptions {
  /** Problems that show that a call was let in, where nobody outside can bring the operation to succeed. */
  readonly letIn?: readonly ProblemCode[]
}

export function createSubject<Name extends ServedName>(
  name: Name,
  { letIn = [] }: SubjectOptions = {},
): NamedSubject<(typeof operations)[Name]> {
  const operation: Operation = operations[name]
  const seen = new Set<ProblemCode>()
  const nextUrl = takeTurns(theTarget().urls)
  const expectForm = (reply: Reply, status: number) => {
    expect(reply.status, reply.text).toBe(status)
    expectHeaders(operation, reply)
    return parseAnswer(operation, reply)
  }
  return {
    operation,
    call: async (call) => exchange(call.url ?? nextUrl(), requestOf(operation, call)),
    open: async (call) => {
      const stream = await openEventStream(call.url ?? nextUrl(), requestOf(operation, call))
      expectHeaders(operation, stream)
      return stream
    },
    expectForm,
    expectLetIn(reply) {
      const { status, headers, text } = reply
      const problem = letIn.find((code) => problems[code].status === status)
      if (problem) return expectProblemDocument(reply, problem)
      expect(Object.keys(operation.answers), text).toContain(String(status))
      expect(mediaTypesOf(operation, status)).toContain(headers['content-type']?.split(';')[0])
    },
    // The contract's own schema has just accepted it.
    expectAnswer: (reply, status) => expectForm(reply, status) as never,
    expectProblem(reply, code, expected = {}) {
      expectProblemDocument(reply, code, expected)
      expect(problemsOf(operation), `${name} documents ${code}`).toContain(code)
      seen.add(code)
    },
    provoked: () => [...seen],
  }
}

/** The path of a call, with its parameters filled in and escaped. */
export function pathOf({ path }: Operation, { params = {} }: SubjectCall): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `{${name}}`))
}

/** Headers of `more` take the place of those of the same name. */
export function withHeaders(call: SubjectCall, more: Readonly<Record<string, string>>): SubjectCall {
  return { ...call, headers: { ...call.headers, ...more } }
}

export function withoutHeaders(call: SubjectCall, ...names: readonly string[]): SubjectCall {
  const kept = Object.entries(call.headers ?? {}).filter(([name]) => !names.includes(name))
  return { ...call, headers: Object.fromEntries(kept) }
}

/** The call as it goes over the wire. */
export function requestOf(operation: Operation, call: SubjectCall): Request {
  const { method = operation.method, headers = {}, query, chunked = false } = call
  const path = call.path ?? pathOf(operation, call)
  const body = call.bytes ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  const type = call.bytes === undefined && body !== undefined ? { 'content-type': 'application/json' } : {}
  return {
    method,
    path: query === undefined ? path : `${path}?${query}`,
    headers: { ...type, ...headers },
    chunked,
    ...(body !== undefined && { body }),
  }
}

function takeTurns(urls: readonly string[]): () => string {
  let turn = 0
  return () => urls[turn++ % urls.length] ?? ''
}
