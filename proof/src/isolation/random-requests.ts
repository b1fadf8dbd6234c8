/**
 * Random requests that mix up the two twins: any route, any credential, and values taken from both sides and from
 * nowhere. The same seed gives the same requests, but for the ids that each deployment makes anew.
 */
import * as fc from 'fast-check'
import { credentialKinds } from './credentials.ts'
import type { AuthMode, Outcome } from './expectations.ts'
import { inParallel } from './in-parallel.ts'
import { attack, describeAttempt } from './requests.ts'
import type { Attempt, Side, Values } from './requests.ts'
import type { RouteClass, ServedRoute } from './routes.ts'
import type { Stage } from './stage.ts'
import { SHARED_SCOPE_IDS } from './twins.ts'
import { validBody } from './valid-values.ts'

export interface RandomFindings {
  readonly requests: number
  readonly foreignBytes: number
  /** Each a sentence with the request in it. */
  readonly leaks: readonly string[]
  readonly strangeStatuses: readonly string[]
  /** Answers that showed a tenant its own content: without any, finding nothing foreign means nothing. */
  readonly ownAnswers: number
}

const AT_ONCE = 8

export async function runRandomRequests(
  stage: Stage,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<RandomFindings> {
  const findings = { foreignBytes: 0, leaks: [] as string[], strangeStatuses: [] as string[], ownAnswers: 0 }
  const attempts = fc.sample(randomAttempt(stage), { seed, numRuns: count })
  await inParallel(attempts, AT_ONCE, async (attempt) => {
    const { outcome, answer, foreign, sawOwn } = await attack(stage, attempt)
    findings.foreignBytes += foreign.bytes
    if (sawOwn) findings.ownAnswers += 1
    if (foreign.bytes > 0)
      findings.leaks.push(`${describeAttempt(attempt)} showed ${foreign.marks.join(', ')}`)
    if (!possible(attempt.route, outcome).includes(answer.status))
      findings.strangeStatuses.push(
        `${describeAttempt(attempt)} answered ${answer.status}, expected ${outcome}`,
      )
  })
  return { requests: attempts.length, ...findings }
}

/** A refusal is exact. Once admitted, random values may name nothing, collide, or break a rule. */
function possible(route: ServedRoute, outcome: Outcome): number[] {
  return typeof outcome === 'number' ? [outcome] : [route.success, 404, 409, 422]
}

function randomAttempt(stage: Stage): fc.Arbitrary<Attempt> {
  const routes = stage.routes.flatMap((route) => Array.from({ length: WEIGHTS[route.class] }, () => route))
  // Keys are the default way in, so they get most of it.
  const mode = fc.constantFrom<AuthMode>('key', 'key', 'key', 'trusted-gateway', 'insecure-tenant-id')
  return fc.tuple(fc.constantFrom(...routes), mode).chain(([route, way]) =>
    fc.record({
      route: fc.constant(route),
      mode: fc.constant(way),
      kind: anyKind(stage, route, way),
      own: fc.constantFrom<Side>('left', 'right'),
      replica: fc.nat(1),
      values: randomValues(stage, route),
    }),
  )
}

/** Most of the attack goes where content is. */
const WEIGHTS: Readonly<Record<RouteClass, number>> = {
  open: 1,
  api: 8,
  admin: 2,
  'admin + tenant key': 8,
  internals: 1,
}

/** Two thirds of them admitted: a caller who is turned away at the door cannot see much. */
function anyKind(stage: Stage, route: ServedRoute, mode: AuthMode): fc.Arbitrary<Attempt['kind']> {
  const admitted = credentialKinds.filter(
    (kind) => typeof stage.expectations.outcome(kind, { class: route.class, mode }) !== 'number',
  )
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...credentialKinds) },
    { weight: 2, arbitrary: fc.constantFrom(...admitted) },
  )
}

function randomValues(stage: Stage, route: ServedRoute): fc.Arbitrary<Values> {
  return fc.record({
    params: fc.record(Object.fromEntries(route.parameters.map((name) => [name, anyParameter(stage, name)]))),
    query: anyQuery(stage, route),
    body: anyBody(stage, route),
  })
}

function anyParameter({ twins: { left, right, nobody } }: Stage, name: string): fc.Arbitrary<string> {
  const scopeIds = [...SHARED_SCOPE_IDS, ...left.ownScopeIds, ...right.ownScopeIds, nobody.scopeId]
  const values: Readonly<Record<string, readonly string[]>> = {
    scopeId: [...scopeIds, left.tenantId, 'Default', '../default', 'default%00', 'x'.repeat(121)],
    tenantId: [left.tenantId, right.tenantId, nobody.tenantId, left.tenantId.toUpperCase(), 'default'],
    keyId: [...left.targetKeyIds, ...right.targetKeyIds, nobody.keyId, right.tenantId, 'short'],
    code: ['not_found', 'tenant_mismatch', 'no_such_code', 'NOT_FOUND'],
  }
  const chosen = values[name]
  if (!chosen) throw new Error(`Random values for {${name}} are missing; add some to random-requests.ts.`)
  return fc.constantFrom(...chosen)
}

function anyQuery({ twins: { left, right } }: Stage, route: ServedRoute): fc.Arbitrary<string> {
  if (route.query.length === 0) return fc.constantFrom('', '', `tenant_id=${right.tenantId}`)
  const forged = Buffer.from(JSON.stringify([right.ownScopeIds[0]])).toString('base64url')
  const cursors = [...left.cursors, ...right.cursors, forged, 'garbage'].map((cursor) => `cursor=${cursor}`)
  const limits = ['limit=1', 'limit=2', 'limit=100', 'limit=100', 'limit=0']
  const strangers = [`tenant_id=${left.tenantId}`, `scope_id=${SHARED_SCOPE_IDS[0]}`]
  return fc
    .tuple(maybe(1, limits), maybe(1, cursors), maybe(9, strangers))
    .map((parts) => parts.filter((each) => each !== '').join('&'))
}

/** Left out `without` times for each time that it is there. */
function maybe(without: number, options: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: without, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...options) },
  )
}

/** What is stored must not be a mark of the other twin, or its owner would see it again by right. */
function anyBody({ twins: { left, right, nobody } }: Stage, route: ServedRoute): fc.Arbitrary<unknown> {
  if (route.method === 'GET') return fc.constant(undefined)
  const extras = [
    { tenant_id: left.tenantId },
    { tenant_id: right.tenantId },
    { tenant_id: nobody.tenantId, epoch: 7 },
    { created_by: 'ck_a_somebody' },
    ...(route.operation === 'createScope' ? SHARED_SCOPE_IDS.map((scopeId) => ({ scope_id: scopeId })) : []),
  ]
  // Made when the request is drawn, so that every valid body is a fresh one.
  const valid = fc.constant(route).map((each) => validBody(each))
  const mixed = fc
    .tuple(valid, fc.constantFrom(...extras))
    .map(([body, extra]) => ({ ...(body as object | undefined), ...extra }))
  return fc.oneof(valid, mixed)
}
