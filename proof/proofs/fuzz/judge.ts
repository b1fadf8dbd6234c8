/** Judges an answer by the served document: is this status, this body, this code documented for this request? */
import type { Answer } from '../../harness/http.ts'
import { readFrames } from '../../harness/http/event-frames.ts'
import type { RawEventFrame } from '../../harness/http/event-frames.ts'
import { reportsOnKernel } from '../../harness/openapi.ts'
import type { DocumentedAnswer, OpenapiOperation, ServedDocument } from '../../harness/openapi.ts'
import type { RequestDraft } from './drafts.ts'
import { findLeak } from './leaks.ts'
import type { Validators } from './validators.ts'
import type { Wire } from './wire.ts'

export type ExchangeCheck =
  | '5xx'
  | 'undocumented status'
  | 'schema violation'
  | 'leak'
  | 'forbidden but accepted'

export interface Deviation {
  readonly check: ExchangeCheck
  readonly detail: string
}

export interface FuzzExchange {
  readonly draft: RequestDraft
  readonly wire: Wire
  readonly answer: Answer
}

type DocumentedAnswers = ReadonlyMap<number, DocumentedAnswer>

const PROBLEM = 'application/problem+json'
const STREAM = 'text/event-stream'

export function createJudge({ operations }: ServedDocument, validators: Validators) {
  const general = new Map<string, DocumentedAnswers>()

  function operationAt({ method, target }: Wire): OpenapiOperation | undefined {
    const parts = partsOf(target)
    // HEAD answers as GET does, and the document says so once for all operations.
    const documented = method === 'HEAD' ? 'GET' : method
    return operations.find((each) => each.method === documented && matches(each.path, parts))
  }

  /** The operation that the request reached; where it reached none, what is said of every operation. */
  function documentedFor(operation: OpenapiOperation | undefined, { method }: Wire): DocumentedAnswers {
    if (operation) return operation.answers
    const known = general.get(method) ?? commonAnswers(operations, method)
    general.set(method, known)
    return known
  }

  return {
    deviationsOf({ draft, wire, answer }: FuzzExchange): Deviation[] {
      const reached = operationAt(wire)
      const documented = documentedFor(reached, wire).get(answer.status)
      const found: Deviation[] = []
      if (answer.status >= 500 && !isKernelReport(reached, answer))
        found.push({ check: '5xx', detail: String(answer.status) })
      if (wire.mustBeRefused && answer.status < 400 && !refusesEntries(answer))
        found.push({ check: 'forbidden but accepted', detail: String(answer.status) })
      if (!documented) found.push({ check: 'undocumented status', detail: String(answer.status) })
      else found.push(...violations(validators, documented, wire, answer))
      const leak = isDocumentation(draft, answer)
        ? undefined
        : findLeak(answer.body.toString('utf8'), sentText(wire))
      if (leak !== undefined) found.push({ check: 'leak', detail: leak })
      return found
    },
  }
}

/** A batch refuses an entry in its place and answers 200. */
function refusesEntries({ status, body }: Answer): boolean {
  return status === 200 && /"refused":[1-9]/.test(body.toString('utf8'))
}

/** The report itself: a problem in its place is a failure like any other. */
export function isKernelReport(
  operation: OpenapiOperation | undefined,
  { status, headers }: Answer,
): boolean {
  const isJson = headers.get('content-type')?.split(';')[0]?.trim() === 'application/json'
  return operation !== undefined && reportsOnKernel(operation) && status === 503 && isJson
}

/** The contract itself speaks of files and formats. */
function isDocumentation({ operation }: RequestDraft, { status }: Answer): boolean {
  return status === 200 && (operation.path === '/openapi.json' || operation.path === '/docs')
}

function sentText({ target, headers, body }: Wire): string {
  return `${target} ${decoded(target)} ${headers.flat().join(' ')} ${body?.toString('utf8') ?? ''}`
}

/** Reads a target as a server reads it: without query, absolute form made relative, percent-encoding undone within each part. */
function partsOf(target: string): string[] {
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/, '').split(/[?#]/)
  return path.split('/').map(decoded)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An empty part is still the value of its parameter, if not a good one. */
function matches(template: string, given: readonly string[]): boolean {
  const wanted = template.split('/')
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at])
  )
}

/** The common answers of all operations of the method document; of all methods, where no operation has it. */
function commonAnswers(operations: readonly OpenapiOperation[], method: string): DocumentedAnswers {
  const same = operations.filter((each) => each.method === method)
  const [first, ...others] = same.length > 0 ? same : operations
  const common = new Map<number, DocumentedAnswer>()
  for (const [status, answer] of first?.answers ?? []) {
    if (status >= 400 && others.every((each) => each.answers.has(status))) common.set(status, answer)
  }
  return common
}

function violations(
  validators: Validators,
  documented: DocumentedAnswer,
  wire: Wire,
  answer: Answer,
): Deviation[] {
  const missing = documented.requiredHeaders.filter((name) => !answer.headers.has(name))
  const faults = missing.map((name) => `the required header ${name} is missing`)
  // To HEAD and to what has no content there is nothing more to say.
  if (wire.method !== 'HEAD' && documented.contents.size > 0)
    faults.push(...bodyFaults(validators, documented, answer))
  return faults.map((detail) => ({ check: 'schema violation', detail }))
}

function bodyFaults(
  validators: Validators,
  { contents, problemCodes }: DocumentedAnswer,
  answer: Answer,
): string[] {
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim() ?? '(none)'
  const pointer = contents.get(type)
  if (pointer === undefined) return [`the content type ${type} is not documented for ${answer.status}`]
  const text = answer.body.toString('utf8')
  if (type === STREAM) return streamFaults(validators, `${pointer}/contentSchema`, text)
  if (!type.endsWith('json') || type.endsWith('ndjson')) return toList(validators.fault(pointer, text))
  try {
    const value: unknown = JSON.parse(text)
    const fault = validators.fault(pointer, value)
    if (fault !== undefined) return [fault]
    return type === PROBLEM ? problemFaults(value as Problem, problemCodes, answer) : []
  } catch {
    return ['the body is not JSON']
  }
}

/** Every whole event that came in the time that was listened to. */
function streamFaults(validators: Validators, pointer: string, text: string): string[] {
  if (!text.startsWith('retry: ')) return ['the stream does not begin with the time to wait before the next']
  return readFrames(text).flatMap((frame) => {
    try {
      return frameFaults(validators, pointer, frame, JSON.parse(frame.data))
    } catch {
      return [`the data of ${frame.event} is not JSON`]
    }
  })
}

function frameFaults(
  validators: Validators,
  pointer: string,
  { id, event }: RawEventFrame,
  data: Readonly<Partial<Record<'id' | 'type' | 'source' | 'head', unknown>>>,
): string[] {
  // The one event without a CloudEvent in it: the position that was asked for is not there.
  if (event === 'resync') return isHead(data.head) ? [] : ['resync does not tell the head']
  return [
    ...toList(validators.fault(pointer, data)),
    ...(data.id === idAt(id, data.source) && data.type === event
      ? []
      : [`the frame of ${event} and its data tell different things`]),
  ]
}

interface Problem {
  readonly status: number
  readonly code: string
  readonly request_id: string
}

function problemFaults(
  { status, code, request_id }: Problem,
  codes: ReadonlySet<string>,
  { status: sent, headers }: Answer,
): string[] {
  return [
    ...(status === sent ? [] : [`the problem says ${status}, the status line ${sent}`]),
    ...(codes.has(code) ? [] : [`the code ${code} is not documented for ${sent}`]),
    ...(request_id === headers.get('x-request-id') ? [] : ['request_id is not X-Request-Id']),
  ]
}

function toList(fault: string | undefined): string[] {
  return fault === undefined ? [] : [fault]
}

/** An event that happened to no scope is named by its place among all events, which begins the position. */
function idAt(position: string | undefined, source: unknown): string | undefined {
  return source === '/kernel' ? position?.split('.')[0] : seqOf(position)
}

/** A position on the stream of a scope is the seq; on the operator's it holds the seq of the event. */
function seqOf(position: string | undefined): string | undefined {
  return position?.split('.')[2] ?? position
}

function isHead(head: unknown): boolean {
  return Number.isInteger(head) || (typeof head === 'string' && seqOf(head) !== undefined)
}
