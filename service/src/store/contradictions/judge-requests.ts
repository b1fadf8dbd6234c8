/** The statements of the judge: its requests, permits, budget and verdicts. */
import type { Verdict } from '../../domain/judge.ts'
import type { Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface RequestRef {
  readonly tenantId: string
  readonly scopeId: string
  /** In hexadecimal. */
  readonly pair: string
}

/**
 * Selects due requests of tenants that permit the judge, in turns over the tenants, so that no tenant waits behind the many requests of
 * another. Runs as the kernel role.
 */
export async function selectDueRequests(kernel: Pool, limit: number): Promise<RequestRef[]> {
  const { rows } = await kernel.query<{ tenant_id: string; scope_id: string; pair: string }>({
    name: 'select-due-judge-requests',
    text: `select r.tenant_id, r.scope_id, encode(r.pair, 'hex') as pair
             from judge_permits p
             join service_switch s on s.state = 'running'
            cross join lateral (
              select q.tenant_id, q.scope_id, q.pair, q.due_at, row_number() over (order by q.due_at) as turn
                from judge_requests q
                join scope_heads h on h.tenant_id = q.tenant_id and h.scope_id = q.scope_id and h.runtime_state = 'running'
                                  and not h.erasing
               where q.tenant_id = p.tenant_id and q.due_at <= now()
               order by q.due_at limit $1) r
            where not exists (select from tenant_switches t where t.tenant_id = p.tenant_id and t.state <> 'running')
            order by r.turn, r.due_at limit $1`,
    values: [limit],
  })
  return rows.map((row) => ({ tenantId: row.tenant_id, scopeId: row.scope_id, pair: row.pair }))
}

/** Counting stops here, so that a long backlog does not make the statement slow. */
const MAX_COUNTED = 10_000

/** Runs as the kernel role. */
export async function countRequests(kernel: Pool): Promise<number> {
  const { rows } = await kernel.query<{ count: number }>(
    `select count(*)::integer as count from (select tenant_id from judge_requests limit ${MAX_COUNTED}) r`,
  )
  return rows[0]?.count ?? 0
}

export interface LeasedRequest {
  readonly epoch: number
  readonly group: bigint
  readonly failures: number
  readonly refusals: number
  readonly a: JudgedClaimRow | undefined
  readonly b: JudgedClaimRow | undefined
}

export interface JudgedClaimRow {
  readonly documentId: string
  readonly version: number
  readonly no: number
  readonly sealed: Buffer
}

interface LeasedRequestColumns {
  readonly epoch: number
  readonly group_key: string
  readonly failures: number
  readonly refusals: number
  readonly document_a: string
  readonly version_a: number
  readonly no_a: number
  readonly sealed_a: Buffer | null
  readonly document_b: string
  readonly version_b: number
  readonly no_b: number
  readonly sealed_b: Buffer | null
}

/**
 * Leases a request: no other worker gets it until the lease expires. Returns undefined if another worker has the lease, if the tenant no
 * longer permits the judge, or if the runtime is paused. It locks the switches, so no request is sent after the request that paused the
 * runtime was answered.
 */
export async function leaseRequest(
  { connection, tenantId }: TenantTransaction,
  { scopeId, pair }: RequestRef,
  leaseMs: number,
): Promise<LeasedRequest | undefined> {
  await connection.query('select hold_service_switch(), hold_tenant_switch($1)', [tenantId])
  const { rows } = await connection.query<LeasedRequestColumns>({
    name: 'take-judge-request',
    text: `with taken as (
             update judge_requests set due_at = now() + $4 * interval '1 ms'
              where tenant_id = $1 and scope_id = $2 and pair = decode($3, 'hex') and due_at <= now()
                and exists (select from judge_permits p where p.tenant_id = $1)
                and exists (select from service_switch s where s.state = 'running')
                and not exists (select from tenant_switches t where t.tenant_id = $1 and t.state <> 'running')
                and exists (select from scope_heads h where h.tenant_id = $1 and h.scope_id = $2
                                                        and h.runtime_state = 'running' and not h.erasing)
             returning *)
           select t.epoch, t.group_key, t.failures, t.refusals, t.document_a, t.version_a, t.no_a, a.sealed as sealed_a,
                  t.document_b, t.version_b, t.no_b, b.sealed as sealed_b
             from taken t
             left join claims a on a.tenant_id = $1 and a.scope_id = $2 and a.document_id = t.document_a
                               and a.no = t.no_a and a.version = t.version_a and a.epoch = t.epoch
             left join claims b on b.tenant_id = $1 and b.scope_id = $2 and b.document_id = t.document_b
                               and b.no = t.no_b and b.version = t.version_b and b.epoch = t.epoch`,
    values: [tenantId, scopeId, pair, leaseMs],
  })
  const [row] = rows
  return row && toLeasedRequest(row)
}

function toLeasedRequest(row: LeasedRequestColumns): LeasedRequest {
  const { epoch, failures, refusals } = row
  return {
    epoch,
    group: BigInt(row.group_key),
    failures,
    refusals,
    a: toClaimRow({ documentId: row.document_a, version: row.version_a, no: row.no_a }, row.sealed_a),
    b: toClaimRow({ documentId: row.document_b, version: row.version_b, no: row.no_b }, row.sealed_b),
  }
}

function toClaimRow(
  place: Omit<JudgedClaimRow, 'sealed'>,
  sealed: Buffer | null,
): JudgedClaimRow | undefined {
  return sealed === null ? undefined : { ...place, sealed }
}

export interface JudgedDocument {
  readonly documentId: string
  readonly version: number
  readonly type: string
  readonly characters: number
  readonly sealedCard: Buffer
}

/**
 * Selects the facts of documents that policies may use. Documents without a card, such as removed ones, are missing in
 * the result.
 */
export async function selectJudgedDocuments(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  asked: readonly Pick<JudgedDocument, 'documentId' | 'version'>[],
): Promise<JudgedDocument[]> {
  const { rows } = await connection.query<JudgedDocument>({
    name: 'select-asked-documents',
    text: `select d.document_id as "documentId", v.version, d.type, v.characters, d.sealed_card as "sealedCard"
             from unnest($3::text[], $4::integer[]) q(document_id, version)
             join documents d on d.tenant_id = $1 and d.scope_id = $2 and d.document_id = q.document_id
             join document_versions v on v.tenant_id = $1 and v.scope_id = $2 and v.document_id = q.document_id
                                     and v.version = q.version
            where d.sealed_card is not null`,
    values: [
      tenantId,
      scopeId,
      asked.map(({ documentId }) => documentId),
      asked.map(({ version }) => version),
    ],
  })
  return rows
}

export async function deleteRequest(
  { connection, tenantId }: TenantTransaction,
  { scopeId, pair }: RequestRef,
): Promise<void> {
  await connection.query(
    `delete from judge_requests where tenant_id = $1 and scope_id = $2 and pair = decode($3, 'hex')`,
    [tenantId, scopeId, pair],
  )
}

export interface Postponement {
  readonly afterMs: number
  readonly failures: number
  readonly refusals: number
}

export async function postponeRequest(
  { connection, tenantId }: TenantTransaction,
  { scopeId, pair }: RequestRef,
  { afterMs, failures, refusals }: Postponement,
): Promise<void> {
  await connection.query(
    `update judge_requests set due_at = now() + $4 * interval '1 ms', failures = $5, refusals = $6
      where tenant_id = $1 and scope_id = $2 and pair = decode($3, 'hex')`,
    [tenantId, scopeId, pair, afterMs, failures, refusals],
  )
}

export interface NewVerdict {
  readonly epoch: number
  readonly verdict: Verdict
  readonly model: string
  readonly tokens: number
}

/** Inserts a verdict unless one exists. The caller must hold the lock of the scope's head. */
export async function insertVerdict(
  { connection, tenantId }: TenantTransaction,
  { scopeId, pair }: RequestRef,
  { epoch, verdict, model, tokens }: NewVerdict,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into judge_verdicts (tenant_id, scope_id, pair, epoch, verdict, model, tokens)
     values ($1, $2, decode($3, 'hex'), $4, $5, $6, $7) on conflict (tenant_id, scope_id, pair) do nothing`,
    [tenantId, scopeId, pair, epoch, verdict, model, tokens],
  )
  return rowCount === 1
}

const TODAY = `(now() at time zone 'utc')::date`

/** Reserves tokens. Returns false, without reserving any, if less is left of the day's budget. */
export async function reserveTokens(
  { connection, tenantId }: TenantTransaction,
  tokens: number,
  budget: number,
): Promise<boolean> {
  if (tokens > budget) return false
  const { rowCount } = await connection.query(
    `insert into judge_spending as s (tenant_id, day, tokens) values ($1, ${TODAY}, $2)
         on conflict (tenant_id, day) do update set tokens = s.tokens + excluded.tokens
      where s.tokens + excluded.tokens <= $3`,
    [tenantId, tokens, budget],
  )
  return rowCount === 1
}

/** Adds the difference between used and reserved tokens. It also deletes old days. */
export async function correctSpending(
  { connection, tenantId }: TenantTransaction,
  difference: number,
): Promise<void> {
  await connection.query(
    `insert into judge_spending as s (tenant_id, day, tokens) values ($1, ${TODAY}, greatest(0, $2::bigint))
         on conflict (tenant_id, day) do update set tokens = greatest(0, s.tokens + $2::bigint)`,
    [tenantId, difference],
  )
  await connection.query(`delete from judge_spending where tenant_id = $1 and day < ${TODAY} - 31`, [
    tenantId,
  ])
}

export interface JudgeStatus {
  readonly permittedAt: Date | null
  readonly permittedBy: string | null
  readonly waiting: number
  readonly verdicts: number
  readonly tokensToday: number
}

export async function selectJudgeStatus({ connection, tenantId }: TenantTransaction): Promise<JudgeStatus> {
  const { rows } = await connection.query<{
    permitted_at: Date | null
    permitted_by: string | null
    waiting: number
    verdicts: number
    tokens: string
  }>(
    `select (select permitted_at from judge_permits where tenant_id = $1),
            (select permitted_by from judge_permits where tenant_id = $1),
            (select count(*)::integer from judge_requests where tenant_id = $1) as waiting,
            (select count(*)::integer from judge_verdicts where tenant_id = $1) as verdicts,
            coalesce((select tokens from judge_spending where tenant_id = $1 and day = ${TODAY}), 0) as tokens`,
    [tenantId],
  )
  const [row] = rows
  return {
    permittedAt: row?.permitted_at ?? null,
    permittedBy: row?.permitted_by ?? null,
    waiting: row?.waiting ?? 0,
    verdicts: row?.verdicts ?? 0,
    tokensToday: Number(row?.tokens ?? 0),
  }
}

/** Returns whether the permit is new. */
export async function insertPermit(
  { connection, tenantId }: TenantTransaction,
  actor: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'insert into judge_permits (tenant_id, permitted_by) values ($1, $2) on conflict (tenant_id) do nothing',
    [tenantId, actor],
  )
  return rowCount === 1
}

/** Deletes the permit and the waiting requests that were recorded under it. Returns whether a permit existed. */
export async function deletePermit({ connection, tenantId }: TenantTransaction): Promise<boolean> {
  const { rowCount } = await connection.query('delete from judge_permits where tenant_id = $1', [tenantId])
  await connection.query('delete from judge_requests where tenant_id = $1', [tenantId])
  return rowCount === 1
}
