/** Describes the faults that a schema finds in a value, in our own words: where, which rule, and what to send instead. */
import type { FieldFault } from '@concord/contract'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** The maximum number of field errors in a response. */
export const MAX_FAULTS = 50

/** `place` is where the value is from, `value` what the schema was given, and `path` where that lies within the body. */
export function toFieldFaults(
  issue: Issue,
  place: string,
  value: unknown,
  path: readonly PropertyKey[] = [],
): FieldFault[] {
  const pointer = (inside: readonly PropertyKey[]) =>
    `${place}#${[...path, ...inside].map((part) => `/${escapePart(part)}`).join('')}`
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_FAULTS).map((key) => ({
      pointer: pointer([...issue.path, key]),
      code: 'unknown_property',
      message: 'Remove this property; it is not known here.',
    }))
  if (issue.code !== 'custom' && isMissing(value, issue.path))
    return [
      { pointer: pointer(issue.path), code: 'required', message: 'Send this property; it is required.' },
    ]
  return [{ pointer: pointer(issue.path), code: codeOf(issue), message: messageOf(issue) }]
}

/** Escapes as JSON Pointer (RFC 6901) asks. A key can be as long as a body, so it is cut. */
function escapePart(part: PropertyKey): string {
  return String(part).slice(0, 200).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The library does not say so itself: a list of values has the same complaint about nothing as about a wrong value. */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let inside = value
  for (const part of path) {
    if (typeof inside !== 'object' || inside === null) return false
    inside = Reflect.get(inside, part)
  }
  return inside === undefined
}

function codeOf(issue: Issue): string {
  switch (issue.code) {
    case 'custom':
      return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid'
    case 'invalid_type':
      return 'wrong_type'
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

const OTHERWISE = 'Send a value that follows the schema of this property in /openapi.json.'

/** A message that stands in the contract is kept; those that the library makes up speak of a program, not of what to send. */
function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message
    case 'invalid_type':
      return `Send ${TYPES[issue.expected] ?? `a value of type ${issue.expected}`}.`
    case 'invalid_value':
      return oneOf(issue.values)
    case 'too_small':
      return `Send ${amountOf(issue.origin, 'at least', Number(issue.minimum))}.`
    case 'too_big':
      return `Send ${amountOf(issue.origin, 'at most', Number(issue.maximum))}.`
    case 'invalid_format':
      return FORMATS[issue.format] ?? (issue.message.startsWith('Invalid') ? OTHERWISE : issue.message)
    default:
      return OTHERWISE
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'Send an instant with its offset, such as 2026-11-15T09:30:00Z or 2026-11-15T10:30:00+01:00.',
  date: 'Send a date such as 2026-11-15.',
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((each) => JSON.stringify(each))
  return shown.length === 1 ? `Send ${shown[0]}.` : `Send one of ${shown.join(', ')}.`
}

function amountOf(origin: string, bound: 'at least' | 'at most', amount: number): string {
  switch (origin) {
    case 'array':
    case 'set':
      return `${bound} ${amount} ${amount === 1 ? 'entry' : 'entries'}`
    case 'string':
      return `${bound} ${amount} character${amount === 1 ? '' : 's'}`
    default:
      return `a number of ${bound} ${amount}`
  }
}
