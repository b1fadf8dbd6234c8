/** Rules broken on purpose, one at a time: in the model, where a check must notice, and in a copy of the product. */
import { drop, insertAfter } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { RULES } from './rules.ts'
import type { Rules } from './rules.ts'
import { write } from './rules/attempts.ts'
import { createRelease, RELEASE_PARTS } from './rules/releasing.ts'
import { unchanged, withEntry } from './store.ts'

export interface BrokenRules {
  readonly name: string
  readonly rules: Rules
}

/** A result is taken from whoever brings it while the document is being read. */
const settleAnything: Rules['settle'] = (store, at, request) => {
  const row = store.work.get(request.place.key)
  const paper = store.papers.get(request.place.key)
  if (!row || !paper || row.state !== 'processing') return unchanged(store, 'stale')
  return write(store, at, row, paper, request)
}

const settleAnyAttempt: Rules['settle'] = (store, at, request) =>
  store.work.get(request.place.key)?.ticket === request.ticket
    ? settleAnything(store, at, request)
    : unchanged(store, 'stale')

const takeEveryLease: Rules['renewLeases'] = (store, at, { holder, ms }) => ({
  store: { ...store, leases: store.leases.map(() => ({ holder, expiresAt: at + ms })) },
  answer: store.leases.map((_, shard) => shard),
  entries: [],
})

/** Nobody's turn counts: everybody's work in one line, oldest first or newest first. */
const releaseInLine = (direction: 1 | -1): Rules['release'] =>
  createRelease({
    ...RELEASE_PARTS,
    inLine: (store, at, shards) =>
      RELEASE_PARTS.inLine(store, at, shards).toSorted((a, b) => direction * (a.position - b.position)),
  })

const releaseUncounted = createRelease({ ...RELEASE_PARTS, roomIn: (window) => window })
const releaseUnheld = createRelease({ ...RELEASE_PARTS, heldOf: (_store, _at, { shards }) => shards })

const claimUncounted: Rules['claim'] = (store, at, request) => {
  const change = RULES.claim(store, at, request)
  const before = store.work.get(request.place.key)
  if (change.answer.outcome !== 'claimed' || !before) return change
  const row = { ...before, state: 'processing' as const, touchedAt: at }
  return { ...change, store: { ...change.store, work: withEntry(change.store.work, request.place.key, row) } }
}

const resetButKeepWork: Rules['reset'] = (store, at, what) => {
  const change = RULES.reset(store, at, what)
  return { ...change, store: { ...change.store, work: store.work } }
}

export const BROKEN_RULES: readonly BrokenRules[] = [
  { name: 'a result is not fenced', rules: { ...RULES, settle: settleAnything } },
  { name: 'a result is fenced by its ticket alone', rules: { ...RULES, settle: settleAnyAttempt } },
  { name: 'a lease is taken before it ended', rules: { ...RULES, renewLeases: takeEveryLease } },
  { name: 'the window is not looked at', rules: { ...RULES, release: releaseUncounted } },
  { name: 'the lease is not looked at when releasing', rules: { ...RULES, release: releaseUnheld } },
  { name: 'work is released in the order of arrival', rules: { ...RULES, release: releaseInLine(1) } },
  { name: 'what came last is released first', rules: { ...RULES, release: releaseInLine(-1) } },
  { name: 'nothing is taken back from the broker', rules: { ...RULES, patienceFor: () => null } },
  { name: 'attempts are not counted', rules: { ...RULES, claim: claimUncounted } },
  { name: 'a reset leaves the work of the epoch before', rules: { ...RULES, reset: resetButKeepWork } },
]

/** In the statements of the product: the comparison with the model must notice each. */
export const BROKEN_STATEMENTS: readonly Mutation[] = [
  {
    name: 'the statement that settles does not compare the attempt',
    at: 'attempt.complete.number',
    change: drop,
  },
  {
    name: 'the statements of attempts do not compare the epoch',
    at: ['attempt.start.epoch', 'attempt.complete.epoch'],
    change: drop,
  },
  {
    name: 'the statement that releases does not look at who has least',
    at: 'dispatch.order',
    change: drop,
  },
  {
    name: 'the statement that releases does not look at the lease',
    at: 'dispatch.lease',
    change: drop,
  },
  {
    name: 'the statement that releases does not count what is out',
    at: 'dispatch.window.in-flight',
    change: insertAfter('* 0'),
  },
  {
    name: 'the statement that releases counts the shards alone that the dispatcher knows of',
    at: 'dispatch.window.shards',
    change: insertAfter('and shard = any($1)'),
  },
  {
    name: 'what is out is compared with the broker for one shard alone',
    at: 'dispatch.recall.in-flight',
    change: insertAfter('and shard = 0'),
  },
]
