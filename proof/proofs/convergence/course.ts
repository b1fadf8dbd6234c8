/**
 * A random course of a scope, step by step: each is one statement of a kind that the service makes, with the row of the
 * scope as it stands after it. The properties are checked after every step.
 */
import * as fc from 'fast-check'
import { SEVERITIES, newScope, standingOf } from './model.ts'
import type {
  ModelContradiction,
  Document,
  ModelRelation,
  Scope,
  ModelSeverity,
  ModelStanding,
  Status,
} from './model.ts'

export interface CourseStep {
  readonly kind: keyof typeof ACTS
  /** Which document or contradiction, of those that it can happen to. */
  readonly at: number
  readonly other: number
  readonly claims: number
  readonly compared: number
  /** Characters of a document, and how many of them are not read. */
  readonly characters: number
  readonly unread: number
  readonly severity: ModelSeverity
  readonly relation: ModelRelation
}

export interface CourseGround {
  readonly client: { query(statements: string): Promise<unknown> }
  readonly tenantId: string
  /** Scopes have names of their own. */
  nextScope(): string
}

/** A scope in the model and in the database, where `own` finds its rows and `place` begins one. */
interface Site {
  readonly ground: CourseGround
  readonly scope: Scope
  readonly own: string
  readonly place: string
}

function openSite(ground: CourseGround): Site {
  const scopeId = ground.nextScope()
  const place = `'${ground.tenantId}', '${scopeId}'`
  const own = `tenant_id = '${ground.tenantId}' and scope_id = '${scopeId}'`
  return { ground, scope: newScope(), own, place }
}

const insertHead = ({ place }: Site) => `insert into scope_heads (tenant_id, scope_id) values (${place})`

/** Returns what did not hold, in words. */
export async function take(ground: CourseGround, steps: readonly CourseStep[]): Promise<string[]> {
  const site = openSite(ground)
  const faults: string[] = []
  let before = await look(site, insertHead(site))
  for (const [index, step] of steps.entries()) {
    const statement = ACTS[step.kind](site, step, index)
    if (statement === '') continue
    const after = await look(site, `${statement}; select record_convergence(${site.place})`)
    for (const fault of faultsOf(step, standingOf(site.scope), before, after))
      faults.push(`after ${index + 1} steps, ${step.kind}: ${fault}`)
    before = after
  }
  const twin = await build(ground, site.scope, steps)
  if (twin !== before.whole)
    faults.push(`the same built anew in another order: ${twin} and not ${before.whole}`)
  return faults
}

interface Row extends ModelStanding {
  /** Everything that is counted, but not how it came to be. */
  readonly whole: string
}

function faultsOf({ kind }: CourseStep, expected: ModelStanding, before: Row, after: Row): string[] {
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

const HISTORY = `'{tenant_id,scope_id,ended,points,noted_score,noted_state}'::text[]`

/** The statement and the look at what came of it are sent together. */
async function look({ ground, own }: Site, statement: string): Promise<Row> {
  const answers: unknown = await ground.client.query(
    `${statement}; select coverage, agreement, resolution, stability, score, state, (to_jsonb(c) - ${HISTORY})::text as whole
       from scope_convergence c where ${own}`,
  )
  // Several statements are answered by several results.
  const [row] = (answers as { rows: Row[] }[]).at(-1)?.rows ?? []
  if (!row) throw new Error('The scope has no convergence.')
  return row
}

/** Does the step to the model and returns how it is done to the database; an empty text where it cannot be done. */
type Act = (site: Site, step: CourseStep, index: number) => string

const UNFINISHED = ['queued', 'processing'] as const
const ACCEPTED = [...UNFINISHED, 'processed', 'held', 'failed'] as const

const onDocument =
  (statuses: readonly Status[], act: (site: Site, document: Document, step: CourseStep) => string): Act =>
  (site, step) => {
    const found = [...site.scope.documents.values()].filter(({ status }) => statuses.includes(status))
    const document = pick(found, step.at)
    return document ? act(site, document, step) : ''
  }

const moveFrom = (from: readonly Status[], to: Status): Act =>
  onDocument(from, (site, document) => move(site, document, to))

const onContradiction =
  (
    statuses: readonly ModelContradiction['status'][],
    changeOf: (step: CourseStep) => Partial<Pick<ModelContradiction, 'status' | 'severity'>>,
  ): Act =>
  ({ scope, own }, step) => {
    const all = [...scope.contradictions.values()]
    const found = pick(
      all.filter(({ status }) => statuses.includes(status)),
      step.at,
    )
    if (!found) return ''
    const change = changeOf(step)
    Object.assign(found, change)
    const [[column, value] = []] = Object.entries(change)
    return `update contradictions set ${column} = '${value}' where ${own} and contradiction_id = '${found.id}'`
  }

const ACTS = {
  add: (site, { characters }, index) => add(site, `d${index}`, characters),
  settle: onDocument(UNFINISHED, (site, document, { claims, compared, unread }) =>
    end(site, document, 'processed', {
      claims,
      compared: Math.min(claims, compared),
      charactersRead: Math.max(0, document.characters - unread),
    }),
  ),
  fail: moveFrom(UNFINISHED, 'failed'),
  hold: moveFrom(UNFINISHED, 'held'),
  retry: moveFrom(['failed', 'held'], 'queued'),
  /** Starts attempts again, as an attempt that begins, and one that is put back, do. */
  repeat: onDocument(UNFINISHED, (site, document) =>
    move(site, document, document.status === 'queued' ? 'processing' : 'queued'),
  ),
  replace: moveFrom(['processed'], 'queued'),
  remove: onDocument(ACCEPTED, (site, document) => end(site, document, 'removed', NOTHING)),
  open,
  report: open,
  resolve: onContradiction(['open'], () => ({ status: 'resolved' })),
  dismiss: onContradiction(['open'], () => ({ status: 'dismissed' })),
  reopen: onContradiction(['resolved', 'dismissed'], () => ({ status: 'open' })),
  cut: (site, { compared: cuts }) => {
    site.scope.cuts = cuts
    return count(site, { cuts })
  },
  weigh: onContradiction(['open', 'resolved', 'dismissed'], ({ severity }) => ({ severity })),
} satisfies Readonly<Record<string, Act>>

const KINDS = Object.keys(ACTS) as CourseStep['kind'][]

export const courses = fc.array(
  fc.record<CourseStep>({
    // Those that give the others something to happen to come more often.
    kind: fc.constantFrom<CourseStep['kind'][]>(...KINDS, 'add', 'settle', 'settle', 'open'),
    at: fc.nat(99),
    other: fc.nat(99),
    claims: fc.constantFrom(0, 1, 2, 3, 4, 30),
    compared: fc.nat(4),
    characters: fc.integer({ min: 1, max: 1_000 }),
    unread: fc.constantFrom(0, 0, 0, 1, 100, 1_000),
    severity: fc.constantFrom(...SEVERITIES),
    relation: fc.constantFrom('conflict', 'conflict', 'restatement', 'change'),
  }),
  { minLength: 4, maxLength: 30 },
)

function pick<Each>(list: readonly Each[], at: number): Each | undefined {
  return list[at % Math.max(1, list.length)]
}

function count({ place }: Site, counts: Readonly<Record<string, number>>): string {
  const columns = Object.keys(counts)
  const { claims = 0, ...others } = counts
  return `insert into claim_counts (tenant_id, scope_id, ${['claims', ...Object.keys(others)].join(', ')})
    values (${place}, ${[claims, ...Object.values(others)].join(', ')})
    on conflict (tenant_id, scope_id) do update set ${columns.map((each) => `${each} = excluded.${each}`).join(', ')}`
}

function add({ scope, place }: Site, id: string, characters: number): string {
  scope.documents.set(id, { id, status: 'queued', ...NOTHING, characters })
  return `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status, characters)
    values (${place}, '${id}', 0, 1, 'text', 'queued', ${characters})`
}

function move({ own }: Site, document: Document, status: Status, more = ''): string {
  document.status = status
  return `update documents set status = '${status}'${more} where ${own} and document_id = '${document.id}'`
}

type Reading = Pick<Document, 'claims' | 'compared' | 'charactersRead'>

const NOTHING: Reading = { claims: 0, compared: 0, charactersRead: 0 }

/** The findings of removed claims go with them. */
function end(site: Site, document: Document, status: Status, reading: Reading): string {
  const { id, characters } = document
  const { charactersRead } = reading
  const { documents, contradictions } = site.scope
  for (const each of contradictions.values())
    if (each.sides.some((side) => side.document === id && side.claim !== null)) contradictions.delete(each.id)
  Object.assign(document, reading)
  const gap = charactersRead < characters ? `'partly_read'` : 'null'
  const total = (of: 'claims' | 'compared') =>
    [...documents.values()].reduce((sum, each) => sum + each[of], 0)
  return `delete from contradictions
      where ${site.own} and (document_a = '${id}' or document_b = '${id}') and group_key is not null;
    ${move(site, document, status, `, characters_read = ${charactersRead}, gap = ${gap}`)};
    ${count(site, { claims: total('claims'), compared: total('compared') })}`
}

function open({ scope, place }: Site, step: CourseStep, index: number): string {
  const speaking = [...scope.documents.values()].filter(({ claims }) => claims > 0)
  const [a, b] = [pick(speaking, step.at), pick(speaking, step.other)]
  const side = (document: Document | undefined, claim: number) =>
    step.kind === 'report' || !document
      ? { document: `stranger ${claim}`, claim: null }
      : { document: document.id, claim: claim % document.claims }
  if (step.kind === 'open' && (!a || !b)) return ''
  const found: ModelContradiction = {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    relation: step.relation,
    severity: step.severity,
    status: 'open',
    sides: [side(a, step.at), side(b, step.other)],
  }
  scope.contradictions.set(found.id, found)
  return insertOf(found, place)
}

function insertOf(
  { id, relation, severity, status, sides: [a, b] }: ModelContradiction,
  place: string,
): string {
  return `insert into contradictions (tenant_id, scope_id, contradiction_id, epoch, group_key, relation, kind, severity, status,
      document_a, claim_a, document_b, claim_b, sealed, opened_seq)
    values (${place}, '${id}', 0, ${a.claim === null ? 'null' : 1}, '${relation}', 'money', '${severity}', '${status}',
      '${a.document}', ${a.claim}, '${b.document}', ${b.claim}, '', 1)`
}

/** Builds the remaining documents in a scope of its own in another order; what was removed was never there. */
async function build(ground: CourseGround, scope: Scope, steps: readonly CourseStep[]): Promise<string> {
  const twin = openSite(ground)
  const left = [...scope.documents.values()].filter(({ status }) => status !== 'removed').toReversed()
  const statements = left.flatMap(({ id, status, characters, ...reading }) => {
    const added = add(twin, id, characters)
    const document = twin.scope.documents.get(id)
    if (!document) return []
    const wasRead = reading.claims > 0 || status === 'processed'
    const ended = wasRead ? [end(twin, document, 'processed', reading)] : []
    return [added, ...ended, ...(status === 'processed' ? [] : [move(twin, document, status)])]
  })
  const keyOf = (index: number) => ((steps[index % steps.length]?.other ?? 0) * 31 + index * 17) % 101
  const found = [...scope.contradictions.values()]
    .map((each, index) => ({ insert: insertOf(each, twin.place), key: keyOf(index) }))
    .toSorted((x, y) => x.key - y.key)
    .map(({ insert }) => insert)
  const built = [insertHead(twin), ...statements, ...found, count(twin, { cuts: scope.cuts })]
  return (await look(twin, built.join('; '))).whole
}
