/**
 * Selects the convergence of scopes. It is counted and scored when it changes, so these statements only read the stored values. Blockers
 * are looked up by index, up to a limit; their total is stored too.
 */
import type { ScopeScore } from '../../domain/convergence-score.ts'
import type { Severity } from '../../domain/finding.ts'
import type { MetricsWindow } from '../../domain/scope-metrics.ts'
import type { PoolConnection, Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

export type ConvergenceState = ScopeScore['state']

/** The score and its parts, as shares in millionths. */
export interface ConvergenceStats {
  readonly score: number
  readonly state: ConvergenceState
  readonly coverage: number
  readonly agreement: number
  readonly resolution: number
  readonly stability: number
}

export interface ConvergencePoint extends ConvergenceStats {
  readonly seq: number
  readonly at: Date
  readonly ended: number
}

export interface Blocker {
  readonly kind:
    | 'contradiction_open'
    | 'document_failed'
    | 'document_held'
    | 'document_unread'
    | 'document_partly_read'
    | 'document_language'
    | 'document_without_claims'
    | 'comparison_incomplete'
    | 'comparison_pending'
    | 'comparison_not_permitted'
    | 'comparison_over_budget'
    | 'document_unfinished'
  readonly id: string
  readonly severity: Severity | null
}

/** Comparison steps that are held, by reason. */
export interface HeldComparisons {
  /** No policy permits that the document is sent to the model. */
  readonly not_permitted: number
  /** The token budget of the tenant is used up. */
  readonly over_budget: number
}

export interface ConvergenceRow extends ConvergenceStats {
  /** How many times a document reached its end. */
  readonly ended: number
  /** The number of documents that are not read yet. */
  readonly unfinished: number
  readonly claims: number
  readonly claimsCompared: number
  /** The number of comparison steps that wait or are in progress. */
  readonly comparisonsPending: number
  readonly comparisonsHeld: HeldComparisons
  readonly blockersTotal: number
}

export interface ScopeConvergenceRow extends ConvergenceRow {
  readonly head: number
  /** The last ones, oldest first. */
  readonly points: readonly ConvergencePoint[]
  readonly blockers: readonly Blocker[]
}

const SCORE_COLUMNS = 'score, state, coverage, agreement, resolution, stability'

const HELD = `json_build_object('not_permitted', c.not_permitted, 'over_budget', c.over_budget)`

/** The columns of `c`, the convergence of a scope. */
const ROW = `c.score, c.state, c.coverage, c.agreement, c.resolution, c.stability, c.ended::float as ended, c.unfinished,
  c.claims::float as claims, c.compared::float as "claimsCompared",
  c.pending as "comparisonsPending", ${HELD} as "comparisonsHeld", c.blockers as "blockersTotal"`

/** The same columns as one JSON value, for statements that also select other columns. */
export const CONVERGENCE_OBJECT = `json_build_object('score', c.score, 'state', c.state, 'coverage', c.coverage,
  'agreement', c.agreement, 'resolution', c.resolution, 'stability', c.stability, 'blockersTotal', c.blockers,
  'claims', c.claims, 'claimsCompared', c.compared, 'comparisonsPending', c.pending, 'comparisonsHeld', ${HELD}, 'characters', c.characters, 'charactersRead', c.characters_read,
  'gaps', c.gaps)`

const CONTRADICTION_BLOCKERS = (['critical', 'high', 'medium', 'low'] as const).map(
  (severity, place) =>
    `select ${place} as place, 'contradiction_open' as kind, contradiction_id::text as id, severity from contradictions
      where severity = '${severity}' and status = 'open' and relation <> 'change' and tenant_id = $1 and scope_id = $2
      order by contradiction_id limit $3`,
)
const DOCUMENT_BLOCKERS = [
  ['failed', 'document_failed', 4],
  ['held', 'document_held', 5],
  ['queued', 'document_unfinished', 12],
  ['processing', 'document_unfinished', 12],
].map(
  ([status, kind, place]) =>
    `select ${place}, '${kind}', document_id, null from documents
      where status = '${status}' and tenant_id = $1 and scope_id = $2 order by document_id limit $3`,
)
const GAP_BLOCKERS = (['unread', 'partly_read', 'language', 'without_claims'] as const).map(
  (gap, place) =>
    `select ${6 + place}, 'document_${gap}', document_id, null from documents
      where gap = '${gap}' and status = 'processed' and tenant_id = $1 and scope_id = $2 order by document_id limit $3`,
)
const CUT_BLOCKER = `select 10, 'comparison_incomplete', scope_id, null from scope_convergence
      where cuts + refused > 0 and tenant_id = $1 and scope_id = $2`
const PENDING_BLOCKER = `select 11, 'comparison_pending', scope_id, null from scope_convergence
      where pending > 0 and tenant_id = $1 and scope_id = $2`
const HELD_BLOCKERS = ['not_permitted', 'over_budget'].map(
  (reason) => `select 5, 'comparison_${reason}', scope_id, null from scope_convergence
      where ${reason} > 0 and tenant_id = $1 and scope_id = $2`,
)

/** Selects blockers, worst first. */
const BLOCKERS = `
  select kind, id, severity
    from (${[...CONTRADICTION_BLOCKERS, ...DOCUMENT_BLOCKERS, ...HELD_BLOCKERS, ...GAP_BLOCKERS, CUT_BLOCKER, PENDING_BLOCKER].map((each) => `(${each})`).join(' union all ')}) each
   order by place, id collate "C" limit $3`

export async function selectBlockers(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  limit: number,
): Promise<Blocker[]> {
  const { rows } = await connection.query<Blocker>(BLOCKERS, [tenantId, scopeId, limit])
  return rows
}

/** Selects everything in one statement, so that it comes from one snapshot. */
export async function selectConvergence(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  limits: { readonly blockers: number; readonly points: number },
): Promise<ScopeConvergenceRow | undefined> {
  const { rows } = await connection.query<
    Omit<ScopeConvergenceRow, 'head' | 'points'> & { head: string; points: PointColumns[] }
  >(
    `select ${ROW}, h.head,
            (select coalesce(json_agg(each order by seq), '[]')
               from (select seq, at, ended, ${SCORE_COLUMNS} from convergence_series
                      where tenant_id = $1 and scope_id = $2 order by seq desc limit $4) each) as points,
            (select coalesce(json_agg(each), '[]') from (${BLOCKERS}) each) as blockers
       from scope_heads h join scope_convergence c on c.tenant_id = h.tenant_id and c.scope_id = h.scope_id
      where h.tenant_id = $1 and h.scope_id = $2`,
    [tenantId, scopeId, limits.blockers, limits.points],
  )
  const [row] = rows
  return row && { ...row, head: Number(row.head), points: row.points.map(toPoint) }
}

type PointColumns = Omit<ConvergencePoint, 'at'> & { readonly at: string }

function toPoint({ at, ...point }: PointColumns): ConvergencePoint {
  return { ...point, at: new Date(at) }
}

export interface KernelConvergenceRow extends ConvergenceRow {
  readonly tenantId: string
  readonly scopeId: string
  /** The last ones, oldest first. */
  readonly points: readonly Pick<ConvergencePoint, 'score' | 'coverage' | 'ended'>[]
}

export interface KernelConvergenceFilter {
  readonly tenantId?: string | undefined
  readonly scopeId?: string | undefined
  readonly after?: { readonly tenantId: string; readonly scopeId: string } | undefined
}

const FIRST_TENANT = '00000000-0000-0000-0000-000000000000'
const LAST_TENANT = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Selects the convergence of scopes of all tenants, in the order of tenant and scope. Runs as the kernel role. */
export async function selectKernelConvergence(
  kernel: Pool,
  { tenantId, scopeId, after }: KernelConvergenceFilter,
  limits: { readonly scopes: number; readonly points: number },
): Promise<KernelConvergenceRow[]> {
  const { rows } = await kernel.query<KernelConvergenceRow>(
    `select c.tenant_id as "tenantId", c.scope_id as "scopeId", ${ROW},
            (select coalesce(json_agg(each order by seq), '[]')
               from (select seq, score, coverage, ended from convergence_series s
                      where s.tenant_id = c.tenant_id and s.scope_id = c.scope_id order by seq desc limit $6) each) as points
       from scope_convergence c
      where (c.tenant_id, c.scope_id) > ($1::uuid, $2::text collate "C") and c.tenant_id <= $3::uuid
        and ($4::text is null or c.scope_id = $4)
      order by c.tenant_id, c.scope_id limit $5`,
    [
      after?.tenantId ?? tenantId ?? FIRST_TENANT,
      after?.scopeId ?? '',
      tenantId ?? LAST_TENANT,
      scopeId ?? null,
      limits.scopes,
      limits.points,
    ],
  )
  return rows
}

export interface ConvergenceTotals {
  /** The number of scopes by state. States without scopes may be missing. */
  readonly byState: Readonly<Partial<Record<ConvergenceState, number>>>
  /** From 0 to 1, over scopes that are not empty; null if all are. */
  readonly meanScore: number | null
}

/** Selects sums over the scopes of all tenants. */
export async function selectConvergenceTotals(kernel: Pool): Promise<ConvergenceTotals> {
  const { rows } = await kernel.query<{ state: ConvergenceState; scopes: number; score: number }>(
    `select state, count(*)::integer as scopes, sum(score) / 1e6::float as score from scope_convergence group by state`,
  )
  const filled = rows.filter(({ state }) => state !== 'empty')
  const scopes = filled.reduce((sum, row) => sum + row.scopes, 0)
  return {
    byState: Object.fromEntries(rows.map((row) => [row.state, row.scopes])),
    meanScore: scopes === 0 ? null : filled.reduce((sum, { score }) => sum + score, 0) / scopes,
  }
}

export type ScoreRow = Pick<ConvergencePoint, 'at' | 'score' | 'state'>

/**
 * Selects the score at the end of each interval of the window in which it changed, in the order of time. Changes before the window are
 * one row, in the interval before it.
 */
export async function selectScoreHistory(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { from, to, stepMs }: MetricsWindow,
): Promise<ScoreRow[]> {
  const { rows } = await connection.query<ScoreRow>(
    `select distinct on (1) greatest(date_bin(step.width, s.at, 'epoch'), $3::timestamptz - step.width) as at, s.score, s.state
       from convergence_series s cross join (select make_interval(secs => $5::integer) as width) step
      where s.tenant_id = $1 and s.scope_id = $2 and s.at < $4
      order by 1, s.seq desc`,
    [tenantId, scopeId, from, to, stepMs / 1000],
  )
  return rows
}

/**
 * Appends to the series of each scope whose convergence changed, and appends the event. The caller must hold the locks of the scopes'
 * heads. Afterwards the connection is in the tenant of the last scope.
 */
export async function recordConvergence(
  connection: Pick<PoolConnection, 'query'>,
  scopes: readonly { readonly tenantId: string; readonly scopeId: string }[],
): Promise<void> {
  if (scopes.length === 0) return
  const groups = [...Map.groupBy(scopes, ({ tenantId }) => tenantId)].map(([tenant, own]) => ({
    tenant,
    scopes: [...new Set(own.map(({ scopeId }) => scopeId))],
  }))
  await connection.query({
    name: 'note-convergences',
    text: 'select record_convergences($1)',
    values: [JSON.stringify(groups)],
  })
}

/** The facts about a scope that policies may use; shares are from 0 to 1. */
export interface ConvergenceFacts extends ConvergenceStats {
  readonly documents: number
  readonly unfinished: number
  readonly held: number
  readonly failed: number
  /** Documents that were not read completely, or have no claims. */
  readonly gaps: number
  readonly claims: number
  /** Claims that were compared with a claim of another document. */
  readonly compared: number
  /** Groups of claims that were not compared completely, and facts that the model declined to compare. */
  readonly incomplete: number
  /** Comparison steps that have not ended, including held ones. */
  readonly pending: number
  readonly open: Readonly<Record<Severity, number>>
}

export async function selectScopeFacts(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<ConvergenceFacts | undefined> {
  const { rows } = await connection.query<ConvergenceFacts>(
    `select state, score / 1e6::float as score, coverage / 1e6::float as coverage, agreement / 1e6::float as agreement,
            resolution / 1e6::float as resolution, stability / 1e6::float as stability,
            settled + unfinished + held + failed as documents, unfinished, held, failed, gaps, claims::float as claims,
            compared::float as compared, (cuts + refused)::float as incomplete,
            pending + not_permitted + over_budget as pending,
            json_build_object('low', open_low, 'medium', open_medium, 'high', open_high, 'critical', open_critical) as open
       from scope_convergence where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId],
  )
  return rows[0]
}
