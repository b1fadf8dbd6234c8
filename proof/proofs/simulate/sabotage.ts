/** Rules broken on purpose, one at a time: in the model, where a check must notice, and in a copy of the product. */
import { drop, insertAfter } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import {
  DISPATCH_PARTS,
  RULES,
  createDispatch,
  createTables,
  unchanged,
  withEntry,
  writeResult,
} from './rules.ts'
import type { Rules } from './rules.ts'

export interface BrokenRules {
  readonly name: string
  readonly rules: Rules
}

/** A result is taken from whoever brings it while the document is being read. */
const completeAnything: Rules['complete'] = (tables, at, request) => {
  const row = tables.work.get(request.ref.key)
  const document = tables.documents.get(request.ref.key)
  if (!row || !document || row.state !== 'processing') return unchanged(tables, 'stale')
  return writeResult(tables, at, row, document, request)
}

const completeAnyAttempt: Rules['complete'] = (tables, at, request) =>
  tables.work.get(request.ref.key)?.ticket === request.ticket
    ? completeAnything(tables, at, request)
    : unchanged(tables, 'stale')

const takeEveryLease: Rules['renewLeases'] = (tables, at, { holder, ms }) => ({
  tables: { ...tables, leases: tables.leases.map(() => ({ holder, expiresAt: at + ms })) },
  answer: tables.leases.map((_, shard) => shard),
  entries: [],
})

/** Ignores turns: the work of all tenants in one queue, oldest first or newest first. */
const dispatchInOrder = (direction: 1 | -1): Rules['dispatch'] =>
  createDispatch({
    ...DISPATCH_PARTS,
    inDispatchOrder: (tables, at, shards) =>
      DISPATCH_PARTS.inDispatchOrder(tables, at, shards).toSorted(
        (a, b) => direction * (a.position - b.position),
      ),
  })

const dispatchUncounted = createDispatch({ ...DISPATCH_PARTS, freeCapacity: (window) => window })
const dispatchUnheld = createDispatch({
  ...DISPATCH_PARTS,
  findHeldShards: (_store, _at, { shards }) => shards,
})

const startUncounted: Rules['start'] = (tables, at, request) => {
  const change = RULES.start(tables, at, request)
  const before = tables.work.get(request.ref.key)
  if (change.answer.outcome !== 'claimed' || !before) return change
  const row = { ...before, state: 'processing' as const, touchedAt: at }
  return {
    ...change,
    tables: { ...change.tables, work: withEntry(change.tables.work, request.ref.key, row) },
  }
}

const resetButKeepWork: Rules['reset'] = (tables, at, what) => {
  const change = RULES.reset(tables, at, what)
  return { ...change, tables: { ...change.tables, work: tables.work } }
}

/** An attempt begins whatever the switches say. */
const startUnswitched: Rules['start'] = (tables, at, request) => {
  const { service, tenants } = createTables([])
  const scopes = new Map(
    [...tables.scopes].map(([key, scope]) => [key, { ...scope, runtime: 'running' as const }]),
  )
  const change = RULES.start({ ...tables, service, tenants, scopes }, at, request)
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
  { name: 'a result is not fenced', rules: { ...RULES, complete: completeAnything } },
  { name: 'a result is fenced by its ticket alone', rules: { ...RULES, complete: completeAnyAttempt } },
  { name: 'a lease is taken before it ended', rules: { ...RULES, renewLeases: takeEveryLease } },
  { name: 'the window is not looked at', rules: { ...RULES, dispatch: dispatchUncounted } },
  { name: 'the lease is not looked at when dispatching', rules: { ...RULES, dispatch: dispatchUnheld } },
  { name: 'work is dispatched in the order of arrival', rules: { ...RULES, dispatch: dispatchInOrder(1) } },
  { name: 'the latest document is dispatched first', rules: { ...RULES, dispatch: dispatchInOrder(-1) } },
  { name: 'nothing is taken back from the broker', rules: { ...RULES, recallAgeFor: () => null } },
  { name: 'attempts are not counted', rules: { ...RULES, start: startUncounted } },
  { name: 'a start does not look at the switches', rules: { ...RULES, start: startUnswitched } },
  { name: 'a stop leaves what is out', rules: { ...RULES, moveSwitch: stopButLeaveWork } },
  { name: 'a reset leaves the work of the epoch before', rules: { ...RULES, reset: resetButKeepWork } },
]

/** In the statements of the product: the comparison with the model must notice each. */
export const BROKEN_STATEMENTS: readonly Mutation[] = [
  {
    name: 'the statement that completes attempts does not compare the attempt',
    at: 'attempt.complete.number',
    change: drop,
  },
  {
    name: 'the statements of attempts do not compare the epoch',
    at: ['attempt.start.epoch', 'attempt.complete.epoch'],
    change: drop,
  },
  {
    name: 'the statement that starts attempts does not look at the switch of the scope',
    at: 'attempt.start.scope-switch',
    change: drop,
  },
  {
    name: 'the statement that dispatches does not look at who has least',
    at: 'dispatch.order',
    change: drop,
  },
  {
    name: 'the statement that dispatches does not look at the lease',
    at: 'dispatch.lease',
    change: drop,
  },
  {
    name: 'the statement that dispatches does not count what is out',
    at: 'dispatch.window.in-flight',
    change: insertAfter('* 0'),
  },
  {
    name: 'the statement that dispatches counts the shards alone that the dispatcher knows of',
    at: 'dispatch.window.shards',
    change: insertAfter('and shard = any($1)'),
  },
  {
    name: 'what is out is compared with the broker for one shard alone',
    at: 'dispatch.recall.in-flight',
    change: insertAfter('and shard = 0'),
  },
]
