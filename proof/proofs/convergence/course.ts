/**
 * A random course of a scope, step by step: each is one statement of a kind that the service makes, with the row of the
 * scope as it stands after it. What must hold is looked at after every step.
 */
import * as fc from 'fast-check'
import { SEVERITIES, newScope, standingOf } from './model.ts'
import type { Contradiction, Document, Relation, Scope, Severity, Standing, Status } from './model.ts'

const KINDS = [
  'add',
  'add',
  'settle',
  'settle',
  'settle',
  'fail',
  'hold',
  'retry',
  'repeat',
  'replace',
  'remove',
  'open',
  'open',
  'report',
  'resolve',
  'dismiss',
  'reopen',
  'weigh',
] as const

export interface Step {
  readonly kind: (typeof KINDS)[number]
  /** Which document or contradiction, of those that it can happen to. */
  readonly at: number
  readonly other: number
  readonly claims: number
  readonly severity: Severity
  readonly relation: Relation
}

export const courses = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...KINDS),
    at: fc.nat(99),
    other: fc.nat(99),
    claims: fc.nat(4),
    severity: fc.constantFrom(...SEVERITIES),
    relation: fc.constantFrom('conflict', 'conflict', 'restatement', 'change'),
  }),
  { minLength: 4, maxLength: 30 },
)

export interface Ground {
  readonly client: { query(statements: string): Promise<unknown> }
  readonly tenantId: string
  /** Scopes have names of their own. */
  nextScope(): string
}

interface Row extends Standing {
  /** Everything that is counted, but not how it came to be. */
  readonly whole: string
}

/** In words, what did not hold; none is right. */
export async function take(ground: Ground, steps: readonly Step[]): Promise<string[]> {
  const scopeId = ground.nextScope()
  const place = `'${ground.tenantId}', '${scopeId}'`
  const scope = newScope()
  const faults: string[] = []
  let before = await look(ground, scopeId, `insert into scope_heads (tenant_id, scope_id) values (${place})`)
  for (const [index, step] of steps.entries()) {
    const statement = actOn(scope, step, where(ground, scopeId), place, index)
    if (statement === '') continue
    const after = await look(ground, scopeId, `${statement}; select note_convergence(${place})`)
    for (const fault of faultsOf(step, standingOf(scope), before, after))
      faults.push(`after ${index + 1} steps, ${step.kind}: ${fault}`)
    before = after
  }
  const twin = await build(ground, scope, steps)
  if (twin !== before.whole)
    faults.push(`the same built anew in another order: ${twin} and not ${before.whole}`)
  return faults
}

function faultsOf({ kind }: Step, expected: Standing, before: Row, after: Row): string[] {
  const faults: string[] = []
  for (const name of ['coverage', 'agreement', 'resolution', 'stability', 'score', 'state'] as const)
    if (after[name] !== expected[name]) faults.push(`${name} is ${after[name]} and not ${expected[name]}`)
  if ((kind === 'open' || kind === 'report' || kind === 'reopen') && after.score > before.score)
    faults.push(`it rose from ${before.score} to ${after.score}`)
  if ((kind === 'resolve' || kind === 'dismiss') && after.score < before.score)
    faults.push(`it fell from ${before.score} to ${after.score}`)
  if (kind === 'repeat' && after.whole !== before.whole) faults.push(`${before.whole} became ${after.whole}`)
  return faults
}

function where({ tenantId }: Ground, scopeId: string): string {
  return `tenant_id = '${tenantId}' and scope_id = '${scopeId}'`
}

const HISTORY = `'{tenant_id,scope_id,ended,points,noted_score,noted_state}'::text[]`

/** The statement and the look at what came of it are sent together. */
async function look(ground: Ground, scopeId: string, statement: string): Promise<Row> {
  const answers: unknown = await ground.client.query(
    `${statement}; select coverage, agreement, resolution, stability, score, state, (to_jsonb(c) - ${HISTORY})::text as whole
       from scope_convergence c where ${where(ground, scopeId)}`,
  )
  // Several statements are answered by several results.
  const [row] = (answers as { rows: Row[] }[]).at(-1)?.rows ?? []
  if (!row) throw new Error('The scope has no convergence.')
  return row
}

const UNFINISHED = ['queued', 'processing'] as const
const ACCEPTED = [...UNFINISHED, 'processed', 'held', 'failed'] as const

interface Spot {
  readonly scope: Scope
  readonly step: Step
  /** Condition that finds the rows of the scope, and the values that begin one. */
  readonly own: string
  readonly place: string
  readonly index: number
}

/** Does the step to the model and says how it is done to the database; an empty text where it cannot be done. */
function actOn(scope: Scope, step: Step, own: string, place: string, index: number): string {
  return ACTS[step.kind]({ scope, step, own, place, index })
}

const ACTS: Readonly<Record<Step['kind'], (spot: Spot) => string>> = {
  add: ({ scope, place, index }) => add(scope, `d${index}`, place),
  settle: (spot) => settle(spot.scope, documentIn(spot, UNFINISHED), spot.step.claims, spot.own, spot.place),
  fail: (spot) => move(documentIn(spot, UNFINISHED), 'failed', spot.own),
  hold: (spot) => move(documentIn(spot, UNFINISHED), 'held', spot.own),
  retry: (spot) => move(documentIn(spot, ['failed', 'held']), 'queued', spot.own),
  replace: (spot) => move(documentIn(spot, ['processed']), 'queued', spot.own),
  repeat: (spot) => repeat(documentIn(spot, UNFINISHED), spot.own),
  remove: (spot) => remove(spot.scope, documentIn(spot, ACCEPTED), spot.own, spot.place),
  open: ({ scope, step, place, index }) => open(scope, step, place, index),
  report: ({ scope, step, place, index }) => open(scope, step, place, index),
  resolve: (spot) => decide(contradictionIn(spot, ['open']), 'resolved', spot.own),
  dismiss: (spot) => decide(contradictionIn(spot, ['open']), 'dismissed', spot.own),
  reopen: (spot) => decide(contradictionIn(spot, ['resolved', 'dismissed']), 'open', spot.own),
  weigh: (spot) =>
    weigh(pick([...spot.scope.contradictions.values()], spot.step.at), spot.step.severity, spot.own),
}

function documentIn({ scope, step }: Spot, statuses: readonly Status[]): Document | undefined {
  const found = [...scope.documents.values()].filter(({ status }) => statuses.includes(status))
  return pick(found, step.at)
}

function contradictionIn(
  { scope, step }: Spot,
  statuses: readonly Contradiction['status'][],
): Contradiction | undefined {
  const found = [...scope.contradictions.values()].filter(({ status }) => statuses.includes(status))
  return pick(found, step.at)
}

function pick<Each>(list: readonly Each[], at: number): Each | undefined {
  return list[at % Math.max(1, list.length)]
}

function add({ documents }: Scope, id: string, place: string): string {
  documents.set(id, { id, status: 'queued', claims: 0 })
  return `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status)
    values (${place}, '${id}', 0, 1, 'text', 'queued')`
}

function move(document: Document | undefined, status: Status, own: string): string {
  if (!document) return ''
  document.status = status
  return `update documents set status = '${status}' where ${own} and document_id = '${document.id}'`
}

/** As an attempt that begins, and one that is put back, do. */
function repeat(document: Document | undefined, own: string): string {
  if (!document) return ''
  return move(document, document.status === 'queued' ? 'processing' : 'queued', own)
}

/** What was found by the claims that go, goes with them. */
function settle(
  scope: Scope,
  document: Document | undefined,
  claims: number,
  own: string,
  place: string,
): string {
  if (!document) return ''
  return [
    withdraw(scope, document, own),
    move(document, 'processed', own),
    recount(scope, document, claims, place),
  ].join('; ')
}

function remove(scope: Scope, document: Document | undefined, own: string, place: string): string {
  if (!document) return ''
  return [
    withdraw(scope, document, own),
    move(document, 'removed', own),
    recount(scope, document, 0, place),
  ].join('; ')
}

function withdraw({ contradictions }: Scope, { id }: Document, own: string): string {
  for (const each of contradictions.values())
    if (each.sides.some(({ document, claim }) => document === id && claim !== null))
      contradictions.delete(each.id)
  return `delete from contradictions where ${own} and (document_a = '${id}' or document_b = '${id}') and group_key is not null`
}

function recount({ documents }: Scope, document: Document, claims: number, place: string): string {
  document.claims = claims
  const total = [...documents.values()].reduce((sum, each) => sum + each.claims, 0)
  return `insert into claim_counts (tenant_id, scope_id, claims) values (${place}, ${total})
    on conflict (tenant_id, scope_id) do update set claims = excluded.claims`
}

function open(scope: Scope, step: Step, place: string, index: number): string {
  const speaking = [...scope.documents.values()].filter(({ claims }) => claims > 0)
  const [a, b] = [pick(speaking, step.at), pick(speaking, step.other)]
  const side = (document: Document | undefined, claim: number) =>
    step.kind === 'report' || !document
      ? { document: `stranger ${claim}`, claim: null }
      : { document: document.id, claim: claim % document.claims }
  if (step.kind === 'open' && (!a || !b)) return ''
  const found: Contradiction = {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    relation: step.relation,
    severity: step.severity,
    status: 'open',
    sides: [side(a, step.at), side(b, step.other)],
  }
  scope.contradictions.set(found.id, found)
  return insertOf(found, place)
}

function insertOf({ id, relation, severity, status, sides: [a, b] }: Contradiction, place: string): string {
  return `insert into contradictions (tenant_id, scope_id, contradiction_id, epoch, group_key, relation, kind, severity, status,
      document_a, claim_a, document_b, claim_b, sealed, opened_seq)
    values (${place}, '${id}', 0, ${a.claim === null ? 'null' : 1}, '${relation}', 'money', '${severity}', '${status}',
      '${a.document}', ${a.claim}, '${b.document}', ${b.claim}, '', 1)`
}

function decide(found: Contradiction | undefined, status: Contradiction['status'], own: string): string {
  if (!found) return ''
  found.status = status
  return `update contradictions set status = '${status}' where ${own} and contradiction_id = '${found.id}'`
}

function weigh(found: Contradiction | undefined, severity: Severity, own: string): string {
  if (!found) return ''
  found.severity = severity
  return `update contradictions set severity = '${severity}' where ${own} and contradiction_id = '${found.id}'`
}

/** What is left, put into a scope of its own in another order; what was removed was never there. */
async function build(ground: Ground, scope: Scope, steps: readonly Step[]): Promise<string> {
  const scopeId = ground.nextScope()
  const place = `'${ground.tenantId}', '${scopeId}'`
  const own = where(ground, scopeId)
  const left = [...scope.documents.values()].filter(({ status }) => status !== 'removed').toReversed()
  const twin = newScope()
  const statements = left.map(({ id, status, claims }) => {
    const added = add(twin, id, place)
    const document = twin.documents.get(id)
    const settled = claims > 0 || status === 'processed' ? settle(twin, document, claims, own, place) : ''
    return [added, settled, status === 'processed' ? '' : move(document, status, own)].join('; ')
  })
  const found = [...scope.contradictions.values()].map((each) => insertOf(each, place))
  const shuffled = (some: readonly string[]) =>
    some
      .map((each, index) => ({
        each,
        key: ((steps[index % steps.length]?.other ?? 0) * 31 + index * 17) % 101,
      }))
      .toSorted((x, y) => x.key - y.key)
      .map(({ each }) => each)
  const first = `insert into scope_heads (tenant_id, scope_id) values (${place})`
  const row = await look(ground, scopeId, [first, ...statements, ...shuffled(found)].join('; '))
  return row.whole
}
