/** Validates requests against the schemas of their operation. The errors say which field is wrong and how to fix it. */
import type { FieldFault, Operation } from '@concord/contract'
import type { z } from 'zod'
import { Fault } from '../domain/fault.ts'
import { MAX_FAULTS, toFieldFaults } from './field-faults.ts'

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
  /** The headers that the operation reads, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

export function validate(operation: Operation, raw: RawInput): ValidInput {
  const faults: FieldFault[] = []
  const check = (schema: z.ZodType | undefined, value: unknown, place: string): unknown => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    addFaults(faults, parsed.error, (issue) => toFieldFaults(issue, place, value))
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

/** Adds faults until there are as many as an answer has: a large body can break its schema in more places than a call takes arguments. */
function addFaults(
  faults: FieldFault[],
  { issues }: z.ZodError,
  describe: (issue: z.core.$ZodIssue) => FieldFault[],
): void {
  for (const issue of issues) {
    if (faults.length >= MAX_FAULTS) return
    faults.push(...describe(issue))
  }
}

/** One entry of a list that stands for itself: its faults are pointed at from the root of the body. */
export function validateEntry<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[],
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const faults: FieldFault[] = []
  addFaults(faults, parsed.error, (issue) => toFieldFaults(issue, '', value, path))
  throw new Fault('validation_failed', { fields: faults.slice(0, MAX_FAULTS) })
}

const NOT_REPEATABLE: FieldFault = {
  pointer: 'header#/idempotency-key',
  code: 'not_repeatable',
  message: 'Leave the key out: this answer holds a secret that is not stored, so it cannot be given again.',
}

function headersOf(
  operation: Operation,
  sent: RawInput['headers'],
  faults: FieldFault[],
): Readonly<Record<string, string | undefined>> {
  const headers: Record<string, string | undefined> = {}
  if (operation.showsSecret && sent?.['idempotency-key'] !== undefined) faults.push(NOT_REPEATABLE)
  for (const [name, schema] of Object.entries(operation.requestHeaders ?? {})) {
    const lower = name.toLowerCase()
    const value = sent?.[lower]
    if (value === undefined) continue
    const parsed = schema.safeParse(value)
    if (parsed.success) headers[lower] = String(parsed.data)
    else
      addFaults(faults, parsed.error, (issue) =>
        toFieldFaults({ ...issue, path: [] }, 'header', value, [lower]),
      )
  }
  return headers
}

/** A missing optional body counts as an empty object, so that its defaults apply. */
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
