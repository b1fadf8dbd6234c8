/**
 * Records which dependencies are unavailable. Only the dispatcher that holds the first shard writes, each change and its event in one
 * statement, so several dispatchers that see one outage record it once. Durations come from the caller, times from the clock of Postgres.
 */
import type { Pool } from '../pools.ts'

export type WatchedDependency = 'database' | 'broker' | 'model'

/** Which dispatcher is the leader: this one, another one, or `nobody` until an expired lease is taken over. */
export type Leader = 'self' | 'other' | 'nobody'

export interface DependencyStates {
  readonly leader: Leader
  readonly lost: readonly WatchedDependency[]
}

const LEADS = `exists (select from dispatch_leases where shard = 0 and holder = $1 and expires_at > now())`

export async function selectDependencyStates(kernel: Pool, holder: string): Promise<DependencyStates> {
  const { rows } = await kernel.query<DependencyStates>(
    `select coalesce((select case holder when $1 then 'self' else 'other' end from dispatch_leases
                       where shard = 0 and expires_at > now()), 'nobody') as leader,
            array(select dependency from dependency_states where lost_at is not null) as lost`,
    [holder],
  )
  return rows[0] ?? { leader: 'nobody', lost: [] }
}

export async function insertLoss(
  kernel: Pool,
  holder: string,
  dependency: WatchedDependency,
  lostForMs: number,
): Promise<void> {
  await kernel.query(
    `with lost as (
       update dependency_states set lost_at = clock_timestamp() - make_interval(secs => $3::float8 / 1000)
        where dependency = $2 and lost_at is null and ${LEADS}
       returning dependency, lost_at
     )
     insert into kernel_log (kind, subject, data, at)
     select 'dependency.lost', dependency, jsonb_build_object('dependency', dependency), lost_at from lost`,
    [holder, dependency, lostForMs],
  )
}

export async function insertRestoration(
  kernel: Pool,
  holder: string,
  dependency: WatchedDependency,
): Promise<void> {
  await kernel.query(
    `with lost as materialized (
       select dependency, lost_at from dependency_states
        where dependency = $2 and lost_at is not null and ${LEADS} for update
     ), restored as (
       update dependency_states s set lost_at = null, restored_at = clock_timestamp()
         from lost where s.dependency = lost.dependency
       returning s.dependency, s.restored_at, lost.lost_at
     )
     insert into kernel_log (kind, subject, data, at)
     select 'dependency.restored', dependency,
            jsonb_build_object('dependency', dependency,
                               'lost_for_ms', round(extract(epoch from restored_at - lost_at) * 1000)),
            restored_at
       from restored`,
    [holder, dependency],
  )
}

/**
 * Records an outage of Postgres itself, with its beginning and end, once it is over. Another dispatcher may have recorded
 * it before.
 */
export async function insertDatabaseOutage(
  kernel: Pool,
  holder: string,
  { lostMs, backMs }: { readonly lostMs: number; readonly backMs: number },
): Promise<void> {
  await kernel.query(
    `with outage as (
       update dependency_states set restored_at = clock_timestamp() - make_interval(secs => $3::float8 / 1000)
        where dependency = 'database' and ${LEADS}
          and coalesce(restored_at < clock_timestamp() - make_interval(secs => $2::float8 / 1000), true)
       returning restored_at
     )
     insert into kernel_log (kind, subject, data, at)
     select told.kind, 'database', jsonb_build_object('dependency', 'database') || told.more,
            restored_at - make_interval(secs => told.before_ms / 1000)
       from outage
      cross join (values (1, 'dependency.lost', $2::float8 - $3::float8, '{}'::jsonb),
                         (2, 'dependency.restored', 0, jsonb_build_object('lost_for_ms', round($2::float8 - $3::float8)))
                 ) as told (turn, kind, before_ms, more)
      order by told.turn`,
    [holder, lostMs, backMs],
  )
}
