/** The one shape of everything that goes wrong (RFC 9457), held against the closed table of codes. */
import { Problem, problems } from '@concord/contract'
import type { ProblemCode } from '@concord/contract'
import { expect } from 'vitest'
import type { Reply } from './http/exchange.ts'

export interface ProblemExpectation {
  /** Every place with a fault, in any order; one place may have several. */
  readonly pointers?: readonly string[]
  /** Which rules were broken, in any order. */
  readonly rules?: readonly string[]
}

/** Says who asked for what, and so belongs to one answer alone. */
type Occurrence = 'request_id' | 'instance'

export function expectProblemDocument(
  reply: Reply,
  code: ProblemCode,
  expected: ProblemExpectation = {},
): void {
  const { status, title, detail } = problems[code]
  expect(reply.status, reply.text).toBe(status)
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json\b/)
  const document = Problem.parse(JSON.parse(reply.text))
  expect(document).toMatchObject({ code, status, title })
  // One code can have several reasons; then the detail ends with the one of this answer.
  expect(document.detail.slice(0, detail.length)).toBe(detail)
  expect(new URL(document.type, 'http://service').pathname).toBe(`/problems/${code}`)
  expect(document.request_id).toBe(reply.headers['x-request-id'])
  expect(document.instance).toContain(document.request_id)
  expectFaults(document.errors, code, expected)
  expectStatusHeaders(reply)
  // A refusal must not hand the secret it refuses to whoever keeps answers.
  expect(reply.text).not.toMatch(/ck_[tai]_/)
}

/** The document without what differs from one occurrence to the next. */
export function sameForAll({ text }: Reply): Omit<ReturnType<typeof Problem.parse>, Occurrence> {
  const { request_id: _, instance: __, ...rest } = Problem.parse(JSON.parse(text))
  return rest
}

/** Those that say of what exactly they speak. */
const NAMING: ReadonlySet<ProblemCode> = new Set([
  'credential_missing',
  'validation_failed',
  'file_unreadable',
  'not_settled',
  'refused_by_policy',
  'policy_invalid',
])

function expectFaults(
  errors: ReturnType<typeof Problem.parse>['errors'],
  code: ProblemCode,
  { pointers, rules }: ProblemExpectation,
): void {
  if (!NAMING.has(code)) return expect(errors).toBeUndefined()
  const faults = errors ?? []
  expect(faults).not.toHaveLength(0)
  expect(faults.filter((fault) => fault.code === '' || fault.message === '')).toEqual([])
  if (pointers)
    expect([...new Set(faults.map((fault) => fault.pointer))].toSorted()).toEqual(pointers.toSorted())
  if (rules) expect(faults.map((fault) => fault.code).toSorted()).toEqual(rules.toSorted())
}

function expectStatusHeaders({ status, headers }: Reply): void {
  if (status === 401) expect(headers['www-authenticate']).toMatch(/^Bearer\b/)
  if (status === 405) expect(headers['allow']).toMatch(/^[A-Z]+(?:, [A-Z]+)*$/)
  if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^\d+$/)
}
