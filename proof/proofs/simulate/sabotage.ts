/** Rules broken on purpose, one at a time: in the model, where a check must notice, and in a copy of the product. */
import { drop, insertAfter } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { RELEASE_PARTS, RULES, createRelease, createTables, unchanged, withEntry, write } from './rules.ts'
import type { Rules } from './rules.ts'

export interface BrokenRules {
  readonly name: string
  readonly rules: Rules
}

/** A result is taken from whoever brings it while the document is being read. */
const settleAnything: Rules['settle'] = (tables, at, request) => {
  const row = tables.work.get(request.place.key)
  const document = tables.documents.get(request.place.key)
  if (!row || !document || row.state !== 'processing') return unchanged(tables, 'stale')
  return write(tables, at, row, document, request)
}

const settleAnyAttempt: Rules['settle'] = (tables, at, request) =>
  tables.work.get(request.place.key)?.ticket === request.ticket
    ? settleAnything(tables, at, request)
    : unchanged(tables, 'stale')

const takeEveryLease: Rules['renewLeases'] = (tables, at, { holder, ms }) => ({
  tables: { ...tables, leases: tables.leases.map(() => ({ holder, expiresAt: at + ms })) },
  answer: tables.leases.map((_, shard) => shard),
  entries: [],
})

/** Nobody's turn counts: everybody's work in one line, oldest first or newest first. */
const releaseInLine = (direction: 1 | -1): Rules['release'] =>
  createRelease({
    ...RELEASE_PARTS,
    inLine: (tables, at, shards) =>
      RELEASE_PARTS.inLine(tables, at, shards).toSorted((a, b) => direction * (a.position - b.position)),
  })

const releaseUncounted = createRelease({ ...RELEASE_PARTS, roomIn: (window) => window })
const releaseUnheld = createRelease({ ...RELEASE_PARTS, heldOf: (_store, _at, { shards }) => shards })

const claimUncounted: Rules['claim'] = (tables, at, request) => {
  const change = RULES.claim(tables, at, request)
  const before = tables.work.get(request.place.key)
  if (change.answer.outcome !== 'claimed' || !before) return change
  const row = { ...before, state: 'processing' as const, touchedAt: at }
  return {
    ...change,
    tables: { ...change.tables, work: withEntry(change.tables.work, request.place.key, row) },
  }
}

const resetButKeepWork: Rules['reset'] = (tables, at, what) => {
  const change = RULES.reset(tables, at, what)
  return { ...change, tables: { ...change.tables, work: tables.work } }
}

/** An attempt begins whatever the switches say. */
const claimUnswitched: Rules['claim'] = (tables, at, request) => {
  const { service, tenants } = createTables([])
  const scopes = new Map(
    [...tables.scopes].map(([key, scope]) => [key, { ...scope, runtime: 'running' as const }]),
  )
  const change = RULES.claim({ ...tables, service, tenants, scopes }, at, request)
  const closed = [...change.tables.scopes].map(
    ([key, scope]) => [key, { ...scope, runtime: tables.scopes.get(key)?.runtime ?? 'running' }] as const,
  )
  const switches = { service: tables.service, tenants: tables.tenants, scopes: new Map(closed) }
  return { ...change, tables: change.answer.outcome === 'stale' ? tables : { ...change.tables, ...switches } }
}

const stopButLeaveWork: Rules['moveSwitch'] = (tables, at, what) => {
  const change = RULES.moveSwitch(tables, at, what)
  return { ...change, tables: { ...change.tables, work: tables.work, documents: tables.documents } }
}

export const BROKEN_RULES: readonly BrokenRules[] = [
  { name: 'a result is not fenced', rules: { ...RULES, settle: settleAnything } },
  { name: 'a result is fenced by its ticket alone', rules: { ...RULES, settle: settleAnyAttempt } },
  { name: 'a lease is taken before it ended', rules: { ...RULES, renewLeases: takeEveryLease } },
  { name: 'the window is not looked at', rules: { ...RULES, release: releaseUncounted } },
  { name: 'the lease is not looked at when releasing', rules: { ...RULES, release: releaseUnheld } },
  { name: 'work is released in the order of arrival', rules: { ...RULES, release: releaseInLine(1) } },
  { name: 'what came last is released first', rules: { ...RULES, release: releaseInLine(-1) } },
  { name: 'nothing is taken back from the broker', rules: { ...RULES, recallAgeFor: () => null } },
  { name: 'attempts are not counted', rules: { ...RULES, claim: claimUncounted } },
  { name: 'a claim does not look at the switches', rules: { ...RULES, claim: claimUnswitched } },
  { name: 'a stop leaves what is out', rules: { ...RULES, moveSwitch: stopButLeaveWork } },
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
    name: 'the statement that claims does not look at the switch of the scope',
    at: 'attempt.start.scope-switch',
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
