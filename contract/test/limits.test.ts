/** Which limits hold for which operations, and that each says so. */
import { describe, expect, test } from 'vitest'
import { limitsOf, operations, problemsOf, servedOperations } from '../src/index.ts'
import type { ProblemCode } from '../src/index.ts'

const having = (limit: keyof ReturnType<typeof limitsOf>) =>
  servedOperations.filter((each) => limitsOf(each)[limit]).map(({ name }) => name)

const naming = (code: ProblemCode) =>
  servedOperations.filter((each) => problemsOf(each).includes(code)).map(({ name }) => name)

test('every operation that a tenant’s key opens has the limits of the tenant, and no other has', () => {
  const keyed = servedOperations.filter(
    ({ tier, anonymous, tenantKey, tenantKeyOptional }) =>
      (tier === 'public' && !anonymous) || tenantKey || tenantKeyOptional,
  )
  expect(having('tenant')).toEqual(keyed.map(({ name }) => name))
  expect(having('tenant')).not.toContain('getPublicHealth')
})

test('what queues by a tenant’s own key is bounded by the queue; the trigger of an administrator is not', () => {
  expect(having('queue')).toEqual([
    'ingestDocument',
    'ingestBatch',
    'ingestFile',
    'retryDocument',
    'releaseDocument',
    'retryDocuments',
  ])
})

test('what a tenant writes can be refused while the service is late; control cannot', () => {
  expect(having('shed')).toEqual([
    'createOwnScope',
    'ingestDocument',
    'ingestBatch',
    'ingestFile',
    'registerDocument',
    'retryDocument',
    'releaseDocument',
    'removeDocuments',
    'retryDocuments',
    'rereadScope',
    'reportContradiction',
    'resolveContradiction',
    'declareSettled',
  ])
})

describe('documented problems', () => {
  test('every operation can answer that too much was tried', () => {
    expect(naming('rate_limited')).toEqual(servedOperations.map(({ name }) => name))
  })

  test.each<[ProblemCode, readonly string[]]>([
    ['queue_quota_exceeded', having('queue')],
    ['queue_full', having('queue')],
    ['overloaded', having('shed')],
    ['too_many_streams', ['streamScopeEvents', 'streamOwnScopeEvents']],
  ])('%s is named by those that can give it', (code, names) => {
    expect(naming(code).toSorted()).toEqual(names.toSorted())
  })

  test('a stream is counted among the streams, everything else of a tenant among the requests at once', () => {
    const counted = [...naming('too_many_requests_at_once'), ...naming('too_many_streams')]
    expect(counted.toSorted()).toEqual(having('tenant').toSorted())
    expect(problemsOf(operations.listOwnScopes)).not.toContain('byte_rate_exceeded')
    expect(problemsOf(operations.registerDocument)).toContain('byte_rate_exceeded')
  })
})
