/**
 * Random requests that mix up the two twins: any route, any credential, and values taken from both sides and from
 * nowhere. The same seed gives the same requests, but for the ids that each deployment makes anew.
 */
import * as fc from 'fast-check'
import type { ExpectedOutcome } from './expectations.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { attack, describeAttempt } from './requests.ts'
import type { Attempt } from './requests.ts'
import type { ProofRun } from '../../harness/proof.ts'
import type { RouteClass, ServedRoute } from './routes.ts'
import type { ProvedAuthMode } from './service.ts'
import type { IsolationStage } from './stage.ts'
import { changesScope } from './twin-documents.ts'
import type { Side } from './twin-documents.ts'
import { randomValues } from './random-values.ts'

const AT_ONCE = 8

/** `when` says which lock is off. */
export async function proveRandomRequests(
  { figures, seed }: ProofRun,
  stage: IsolationStage,
  count: number,
  when: string,
): Promise<void> {
  const { requests, leaks, strangeStatuses, ...sums } = await sendRandomRequests(stage, { count, seed })
  figures.exactly(`${when}crossed requests`, requests, count)
  // Otherwise nothing was looked at, and finding nothing foreign would mean nothing.
  figures.atLeast(`${when}answers that showed a tenant its own content`, sums.ownAnswers, count / 50)
  figures.atLeast(`${when}of these, event streams`, sums.ownStreams, count / 250)
  figures.none(`${when}statuses outside the expected`, strangeStatuses)
  figures.none(`${when}foreign bytes`, leaks, sums.foreignBytes)
}

export async function sendRandomRequests(
  stage: IsolationStage,
  { count, seed }: { readonly count: number; readonly seed: number },
) {
  const leaks: string[] = []
  const strangeStatuses: string[] = []
  const sums = { foreignBytes: 0, ownAnswers: 0, ownStreams: 0 }
  const attempts = fc.sample(randomAttempt(stage), { seed, numRuns: count })
  await inParallel(attempts, AT_ONCE, async (attempt) => {
    const { outcome, response, foreign, sawOwn } = await attack(stage, attempt)
    sums.foreignBytes += foreign.bytes
    if (sawOwn) sums.ownAnswers += 1
    if (sawOwn && attempt.route.isStream) sums.ownStreams += 1
    if (foreign.bytes > 0) leaks.push(`${describeAttempt(attempt)} showed ${foreign.marks.join(', ')}`)
    if (!possible(attempt.route, outcome).includes(response.status))
      strangeStatuses.push(`${describeAttempt(attempt)} answered ${response.status}, expected ${outcome}`)
  })
  return { requests: attempts.length, leaks, strangeStatuses, ...sums }
}

/** A refusal is exact. Once admitted, random values may name nothing, collide, or break a rule. */
function possible(route: ServedRoute, outcome: ExpectedOutcome): number[] {
  return typeof outcome === 'number'
    ? [outcome]
    : [
        route.success,
        ...route.otherSuccesses,
        ...(route.headers.includes('If-None-Match') ? [304] : []),
        404,
        409,
        415,
        422,
      ]
}

function randomAttempt(stage: IsolationStage): fc.Arbitrary<Attempt> {
  const routes = stage.routes.flatMap((route) => Array.from({ length: weightOf(route) }, () => route))
  // Keys are the default way in, so they get most of it.
  const mode = fc.constantFrom<ProvedAuthMode>('key', 'key', 'key', 'trusted-gateway', 'insecure-tenant-id')
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
  'api + tenant id': 8,
  admin: 2,
  'admin + tenant key': 8,
  'admin + optional tenant key': 1,
  internals: 1,
  'internals + tenant key': 1,
}

function weightOf({ class: each, isStream, operation }: ServedRoute): number {
  // Nothing of anybody's is in what these answer.
  if (changesScope(operation)) return 2
  // There are few streams, and enough of them must be met whatever the seed.
  return WEIGHTS[each] * (isStream ? 5 : 1)
}

/** Two thirds of them admitted: a caller who is turned away at the door cannot see much. */
function anyKind(stage: IsolationStage, route: ServedRoute, mode: ProvedAuthMode): fc.Arbitrary<string> {
  const { kinds, outcome } = stage.expectations
  const admitted = kinds.filter((kind) => typeof outcome(kind, { class: route.class, mode }) !== 'number')
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...kinds) },
    { weight: 2, arbitrary: fc.constantFrom(...admitted) },
  )
}
