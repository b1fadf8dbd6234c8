/** The rules for each operation of the service, and the proof that no documented problem was left out. */
import { problemsOf } from '@concord/contract'
import type { ProblemCode } from '@concord/contract'
import { describe, expect, it } from 'vitest'
import type { GoodCall, Subject } from '../subject.ts'
import { theTarget } from '../target.ts'
import { describeAddresses } from './addresses.ts'
import { describeHeaderBlock } from './header-block.ts'
import { describeMediaTypes } from './media-types.ts'
import { describeMethods } from './methods.ts'
import { describeRequestId } from './request-id.ts'

/** The problems that a caller of a healthy service in its default mode cannot bring about, or not in the time of this suite. */
const outOfReach: ReadonlySet<ProblemCode> = new Set([
  'request_timeout',
  // Met on a process with low limits, by specs/public/limits.spec.ts, or in the tests of the service.
  'rate_limited',
  'byte_rate_exceeded',
  'too_many_requests_at_once',
  'too_many_streams',
  'queue_quota_exceeded',
  'queue_full',
  'overloaded',
  'internal_error',
  'unavailable',
  'no_root_key',
  'gateway_signature_invalid',
])

export function describeEveryOperation(subject: Subject, good: GoodCall): void {
  describeRequestId(subject, good)
  describeMediaTypes(subject, good)
  describeMethods(subject, good)
  describeAddresses(subject, good)
  describeHeaderBlock(subject, good)
}

/** Comes last in a file: by then each documented problem has been met at least once. */
export function describeCompleteness(subject: Subject): void {
  describe(`${subject.operation.name}: documented problems`, () => {
    it('has answered with each of them that can be provoked from outside', () => {
      const reachable = problemsOf(subject.operation).filter((code) => !isOutOfReach(code))
      expect(reachable.filter((code) => !subject.provoked().includes(code))).toEqual([])
    })
  })
}

/** Keys above the tenant's die on the command line only, so a service elsewhere must hand some over. */
function isOutOfReach(code: ProblemCode): boolean {
  const needsDeadKey = code === 'credential_expired' || code === 'credential_revoked'
  return outOfReach.has(code) || (needsDeadKey && theTarget().dead === undefined)
}
