/** Checks what came in against the operation's schemas, and says where and how to mend it. */
import type { FieldFault, Operation } from '@concord/contract'
import type { z } from 'zod'
import { Fault } from '../domain/fault.ts'

/** Enough to mend a body by; a body full of nonsense must not be answered with more of it. */
const MAX_FAULTS = 50

export interface RawInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
}

export interface ValidInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** Those that the operation reads, by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

export function validate(operation: Operation, raw: RawInput): ValidInput {
  const faults: FieldFault[] = []
  const check = (schema: z.ZodType | undefined, value: unknown, place: string): unknown => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    faults.push(...parsed.error.issues.flatMap((issue) => toFieldFaults(issue, place)))
    return undefined
  }
  const valid = {
    params: check(operation.params, raw.params, 'path'),
    query: check(operation.query, raw.query, 'query'),
    body: check(operation.body, bodyOf(operation, raw.body, faults), ''),
    headers: headersOf(operation, raw.headers, faults),
  }
  if (faults.length > 0) throw new Fault('validation_failed', { fields: faults.slice(0, MAX_FAULTS) })
  return valid
}

function headersOf(
  operation: Operation,
  sent: RawInput['headers'],
  faults: FieldFault[],
): Readonly<Record<string, string | undefined>> {
  const headers: Record<string, string | undefined> = {}
  for (const [name, schema] of Object.entries(operation.requestHeaders ?? {})) {
    const lower = name.toLowerCase()
    const value = sent?.[lower]
    if (value === undefined) continue
    const parsed = schema.safeParse(value)
    if (parsed.success) headers[lower] = String(parsed.data)
    else
      faults.push(
        ...parsed.error.issues.flatMap((issue) => toFieldFaults({ ...issue, path: [lower] }, 'header')),
      )
  }
  return headers
}

/** A missing optional body reads as an empty object, so that its defaults apply. */
function bodyOf(operation: Operation, body: unknown, faults: FieldFault[]): unknown {
  if (operation.body) return body === undefined && operation.bodyOptional ? {} : body
  if (body !== undefined && !isEmptyObject(body))
    faults.push({ pointer: '#', code: 'unexpected_body', message: 'Send no body to this route.' })
  return undefined
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  )
}

function toFieldFaults(issue: z.core.$ZodIssue, place: string): FieldFault[] {
  const pointer = (path: readonly PropertyKey[]) =>
    `${place}#${path.map((part) => `/${escapePart(part)}`).join('')}`
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      pointer: pointer([...issue.path, key]),
      code: 'unknown_property',
      message: 'Remove this property; it is not known here.',
    }))
  const code = codeOf(issue)
  return [{ pointer: pointer(issue.path), code, message: messageOf(issue, code) }]
}

/** As JSON Pointer (RFC 6901) asks. A key can be as long as a body, so it is cut. */
function escapePart(part: PropertyKey): string {
  return String(part).slice(0, 200).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The library's words for these two say what it expected of a program, not what a person should do. */
function messageOf(issue: z.core.$ZodIssue, code: string): string {
  if (code === 'required') return 'Send this property; it is required.'
  return issue.code === 'invalid_type' ? `Send a value of type ${issue.expected}.` : issue.message
}

function codeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
      return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid'
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'required' : 'wrong_type'
    case 'invalid_value':
      return 'not_allowed'
    case 'too_small':
      return 'too_small'
    case 'too_big':
      return 'too_big'
    default:
      return 'invalid'
  }
}
