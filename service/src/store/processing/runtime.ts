/** The statements of the runtime switches. Each move holds an exclusive lock on its switch until it commits. */
import type { RuntimeState } from '../../domain/runtime.ts'
import type { PoolConnection, Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'
import type { KernelEvent } from '../scopes/events.ts'

export interface SwitchRow {
  readonly state: RuntimeState
  readonly generation: number
  readonly changedAt: Date | null
  readonly changedBy: string | null
}

interface SwitchColumns {
  readonly state: RuntimeState
  readonly generation: number
  readonly changed_at: Date | null
  readonly changed_by: string | null
}

export interface SwitchChange {
  readonly state: RuntimeState
  readonly restarts: boolean
  readonly actor: string
}

/** A switch that was never moved. */
const UNTOUCHED: SwitchRow = { state: 'running', generation: 0, changedAt: null, changedBy: null }

const COLUMNS = 'state, generation, changed_at, changed_by'
const SCOPE_COLUMNS =
  'runtime_state as state, runtime_generation as generation, runtime_changed_at as changed_at, ' +
  'runtime_changed_by as changed_by'

export async function selectServiceSwitch(connection: Pick<PoolConnection, 'query'>): Promise<SwitchRow> {
  const { rows } = await connection.query<SwitchColumns>(`select ${COLUMNS} from service_switch`)
  return toRow(rows[0])
}

export async function selectTenantSwitch({ connection, tenantId }: TenantTransaction): Promise<SwitchRow> {
  const { rows } = await connection.query<SwitchColumns>(
    `select ${COLUMNS} from tenant_switches where tenant_id = $1`,
    [tenantId],
  )
  return toRow(rows[0])
}

/** Returns undefined if the scope does not exist. */
export async function selectScopeSwitch(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<SwitchRow | undefined> {
  const { rows } = await connection.query<SwitchColumns>(
    `select ${SCOPE_COLUMNS} from scope_heads where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId],
  )
  return rows[0] && toRow(rows[0])
}

/** Locks the service switch exclusively: waits for attempts that are just starting, and lets none start until the commit. */
export async function holdServiceSwitch(connection: PoolConnection): Promise<void> {
  await connection.query('select hold_service_switch_alone()')
}

/** The same for the work of one tenant. For a scope, the lock of its head serves. */
export async function holdTenantSwitch({ connection, tenantId }: TenantTransaction): Promise<void> {
  await connection.query('select hold_tenant_switch_alone($1)', [tenantId])
}

export async function updateServiceSwitch(
  connection: PoolConnection,
  { state, restarts, actor }: SwitchChange,
): Promise<SwitchRow> {
  const { rows } = await connection.query<SwitchColumns>(
    `update service_switch
        set state = $1, generation = generation + $2, changed_at = now(), changed_by = $3,
            running_since = case when $1 = 'running' then now() else running_since end
     returning ${COLUMNS}`,
    [state, restarts ? 1 : 0, actor],
  )
  return toRow(rows[0])
}

export async function updateTenantSwitch(
  { connection, tenantId }: TenantTransaction,
  { state, restarts, actor }: SwitchChange,
): Promise<SwitchRow> {
  const { rows } = await connection.query<SwitchColumns>(
    `insert into tenant_switches as t (tenant_id, state, generation, changed_at, changed_by)
     values ($1, $2, $3, now(), $4)
     on conflict (tenant_id) do update
        set state = excluded.state, generation = t.generation + excluded.generation,
            changed_at = excluded.changed_at, changed_by = excluded.changed_by
     returning ${COLUMNS}`,
    [tenantId, state, restarts ? 1 : 0, actor],
  )
  return toRow(rows[0])
}

export async function updateScopeSwitch(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { state, restarts, actor }: SwitchChange,
): Promise<SwitchRow> {
  const { rows } = await connection.query<SwitchColumns>(
    `update scope_heads
        set runtime_state = $3, runtime_generation = runtime_generation + $4, runtime_changed_at = now(),
            runtime_changed_by = $5
      where tenant_id = $1 and scope_id = $2 returning ${SCOPE_COLUMNS}`,
    [tenantId, scopeId, state, restarts ? 1 : 0, actor],
  )
  return toRow(rows[0])
}

/** Recalls the work of one scope, or of all scopes of the tenant. Returns how many attempts were in progress. */
export async function takeBackWork(
  { connection, tenantId }: TenantTransaction,
  scopeId: string | null,
): Promise<number> {
  const { rows } = await connection.query<{ taken: number }>('select take_back_work($1, $2) as taken', [
    tenantId,
    scopeId,
  ])
  return rows[0]?.taken ?? 0
}

/** Counts attempts in progress. Runs as the kernel role. */
export async function countInFlight(
  kernel: Pool,
  tenantId: string | null,
  scopeId: string | null,
): Promise<number> {
  const { rows } = await kernel.query<{ count: number }>(
    `select count(*)::int as count from work
      where state = 'processing' and ($1::uuid is null or tenant_id = $1) and ($2::text is null or scope_id = $2)`,
    [tenantId, scopeId],
  )
  return rows[0]?.count ?? 0
}

/** Selects the tenants with work in flight, in lock order. Runs as the kernel role. */
export async function selectTenantsInFlight(kernel: Pool): Promise<string[]> {
  const { rows } = await kernel.query<{ tenant_id: string }>(
    `select distinct tenant_id from work where state <> 'queued' order by tenant_id`,
  )
  return rows.map((row) => row.tenant_id)
}

/** Appends an event to the operator's stream. No tenant sees it. */
export async function appendKernelEvent(
  connection: Pick<PoolConnection, 'query'>,
  { kind, subject, data }: KernelEvent,
): Promise<void> {
  await connection.query('insert into kernel_log (kind, subject, data) values ($1, $2, $3)', [
    kind,
    subject,
    JSON.stringify(data),
  ])
}

function toRow(row: SwitchColumns | undefined): SwitchRow {
  if (!row) return UNTOUCHED
  return {
    state: row.state,
    generation: row.generation,
    changedAt: row.changed_at,
    changedBy: row.changed_by,
  }
}
