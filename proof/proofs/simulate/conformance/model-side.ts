/** The rules as one side of a comparison. */
import { NEW_SCOPE, createTables, withEntry } from '../rules.ts'
import type {
  Answers,
  DocumentRow,
  WorkLogEntry,
  Kind,
  DocumentRef,
  Questions,
  Rules,
  Statements,
  Tables,
} from '../rules.ts'
import { LEASE_SECONDS, MAX_STARTS, REASON, SETTLING_SECONDS, WINDOW } from './pair.ts'
import type { ConformanceSide } from './pair.ts'

export interface ModelSide extends ConformanceSide {
  tables(): Tables
  /** Every ticket that a document ever had, the last one last. */
  ticketsOf(key: string): readonly number[]
}

export function createModelSide(rules: Rules, scopeKeys: readonly string[]): ModelSide {
  const statements: Statements = rules
  const tickets = new Map<string, number[]>()
  let log: WorkLogEntry[] = []
  let tables = createTables(scopeKeys)
  let now = 0
  let madeAt = -SETTLING_SECONDS * 1000
  const ask = <Each extends Kind>(kind: Each, what: Questions[Each]): Answers[Each] => {
    // Time passes between any two statements, if only a little.
    now += 1
    const change = statements[kind](tables, now, what)
    tables = change.tables
    log.push(...change.entries)
    return change.answer
  }
  return {
    tables: () => tables,
    ticketsOf: (key) => tickets.get(key) ?? [],
    accept: async (texts) => byTenant(texts, (text) => answerOf(ask('accept', text))),
    start: async (tries) =>
      byTenant(tries, (each) => {
        const answer = ask('start', { ...each, maxStarts: MAX_STARTS })
        return answer.outcome === 'claimed' ? `claimed ${answer.attempt}` : answer.outcome
      }),
    complete: async (results) =>
      byTenant(results, (each) =>
        ask('complete', { ...each, reason: each.verdict === 'processed' ? null : REASON }),
      ),
    retry: async (request) => answerOf(ask('retry', request)),
    releaseHeld: async (request) => answerOf(ask('releaseHeld', request)),
    moveSwitch: async (request) => ask('moveSwitch', request),
    remove: async (request) => answerOf(ask('remove', request)),
    async reset({ ref: { scopeKey } }) {
      log = log.filter((entry) => entry.scopeKey !== scopeKey)
      ask('reset', { scopeKey })
    },
    async raiseEpoch({ ref: { scopeKey } }) {
      const scope = tables.scopes.get(scopeKey) ?? NEW_SCOPE
      tables = { ...tables, scopes: withEntry(tables.scopes, scopeKey, { ...scope, epoch: scope.epoch + 1 }) }
    },
    renewLeases: async ({ holder }) => ask('renewLeases', { holder, ms: LEASE_SECONDS * 1000 }).join(),
    releaseLeases: async (request) => void ask('releaseLeases', request),
    freeShard: async (request) => void ask('freeShard', request),
    async dispatch(request) {
      const dispatched = ask('dispatch', { ...request, window: WINDOW })
      for (const { ref, ticket } of dispatched)
        tickets.set(ref.key, [...(tickets.get(ref.key) ?? []), ticket])
      return dispatched.map(({ ref }) => ref.key).toSorted()
    },
    async reconcile({ holder, shards, held }) {
      const queue = { ageSeconds: (now - madeAt) / 1000, held }
      const olderThan = rules.recallAgeFor(queue, ask('countInFlight', { holder }))
      return `${olderThan ? ask('recall', { shards, olderThan }) : 0} recalled`
    },
    async wipe() {
      now += SETTLING_SECONDS * 1000
      madeAt = now
      now += SETTLING_SECONDS * 1000
    },
    wait: async ({ seconds }) => void (now += seconds * 1000),
    picture: async () => pictureOf(tables, log),
  }
}

function answerOf({ outcome, seq }: { readonly outcome: string; readonly seq: number }): string {
  return `${outcome} ${seq}`
}

/** One statement takes the tenants in ascending order, and the items of each as they came. */
function byTenant<Item extends { readonly ref: DocumentRef }, Answer>(
  items: readonly Item[],
  apply: (item: Item) => Answer,
): readonly Answer[] {
  const inOrder = Object.groupBy(items, ({ ref }) => ref.tenant)
  const answers = new Map<Item, Answer>()
  for (const tenant of Object.keys(inOrder).toSorted())
    for (const item of inOrder[tenant] ?? []) answers.set(item, apply(item))
  return items.map((item) => answers.get(item) as Answer)
}

function pictureOf(tables: Tables, log: readonly WorkLogEntry[]): readonly string[] {
  return [
    ...[...tables.scopes].map(
      ([key, { epoch, head, runtime }]) => `scope ${key}: epoch ${epoch}, head ${head}, ${runtime}`,
    ),
    ...[...tables.documents].flatMap(([key, document]) => documentLines(key, document)),
    ...[...tables.work]
      .toSorted(([, a], [, b]) => a.position - b.position)
      .map(
        ([key, row], index) =>
          `work ${key}: ${index} ${row.version} ${row.epoch} ${row.state} ${row.shard} ${row.attempt} ${row.ticket}`,
      ),
    ...log.map(
      ({ scopeKey, seq, epoch, kind, document, version }) =>
        `log ${scopeKey}: ${seq} ${epoch} ${kind} ${document} ${version}`,
    ),
    ...tables.leases.map(({ holder }, shard) => `lease ${shard}: ${holder}`),
  ].toSorted()
}

function documentLines(key: string, document: DocumentRow): readonly string[] {
  const { epoch, version, status, attempt, error, seq } = document
  return [
    `document ${key}: ${epoch} ${version} ${status} ${attempt} ${error} ${seq}`,
    ...document.versions.map((each) => `version ${key}: ${each.version} ${each.status}`),
    ...document.readings.map((each) => `reading ${key}: ${each}`),
  ]
}
