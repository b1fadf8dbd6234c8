/**
 * The statements of the audit log. Each action inserts its entry in its own transaction; the kernel role chains the entries and reads
 * them. The log covers all tenants and belongs to the operator.
 */
import type { AuditEntry, AuditHead, ChainedEntry, ChainPosition } from '../../domain/audit.ts'
import type { PoolConnection, Pool } from '../pools.ts'

export async function insertAuditEntries(
  connection: Pick<PoolConnection, 'query'>,
  entries: readonly AuditEntry[],
): Promise<void> {
  await connection.query({
    name: 'insert-audit-entries',
    text: `insert into audit_log (entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details, mac_key, mac)
           select entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details::json, mac_key, decode(mac, 'hex')
             from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::text[],
                         $9::text[], $10::text[], $11::text[])
               as new (entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details, mac_key, mac)`,
    values: [
      entries.map(({ entryId }) => entryId),
      entries.map(({ at }) => at),
      entries.map(({ action }) => action),
      entries.map(({ tier }) => tier),
      entries.map(({ actor }) => actor),
      entries.map(({ tenantId }) => tenantId),
      entries.map(({ scopeId }) => scopeId),
      entries.map(({ subject }) => subject),
      entries.map(({ details }) => details),
      entries.map(({ macKey }) => macKey),
      entries.map(({ mac }) => mac),
    ],
  })
}

const ENTRY_COLUMNS = `entry_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, action, tier, actor,
  tenant_id, scope_id, subject, details::text as details, mac_key, encode(mac, 'hex') as mac`

interface EntryColumns {
  readonly entry_id: string
  readonly at: string
  readonly action: string
  readonly tier: string
  readonly actor: string
  readonly tenant_id: string | null
  readonly scope_id: string | null
  readonly subject: string | null
  readonly details: string
  readonly mac_key: string
  readonly mac: string
}

interface ChainedColumns extends EntryColumns {
  readonly seq: string
  readonly chain_key: string
  readonly chain_mac: string
}

interface HeadColumns {
  readonly seq: string
  readonly chain_mac: string
  readonly mac_key: string | null
  readonly mac: string | null
}

const HEAD_COLUMNS = `seq, encode(chain_mac, 'hex') as chain_mac, mac_key, encode(mac, 'hex') as mac`

/** Locks the chain until the end of the transaction. Returns false if another process holds the lock. */
export async function holdAuditChain(connection: PoolConnection): Promise<boolean> {
  const { rows } = await connection.query<{ held: boolean }>('select pg_try_advisory_xact_lock(3, 0) as held')
  return rows[0]?.held === true
}

export async function hasUnchained(kernel: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await kernel.query<{ found: boolean }>({
    name: 'has-unchained-audit-entries',
    text: 'select exists (select from audit_log where seq is null) as found',
  })
  return rows[0]?.found === true
}

/** Selects entries that are not chained yet, in the order in which they will be chained. */
export async function selectUnchained(
  kernel: Pick<Pool, 'query'>,
  after: AuditEntry | undefined,
  limit: number,
): Promise<AuditEntry[]> {
  const { rows } = await kernel.query<EntryColumns>(
    `select ${ENTRY_COLUMNS} from audit_log
      where seq is null and ($1::timestamptz is null or (audit_log.at, entry_id) > ($1, $2::uuid))
      order by audit_log.at, entry_id limit $3`,
    [after?.at ?? null, after?.entryId ?? null, limit],
  )
  return rows.map(toEntry)
}

export async function selectAuditHead(kernel: Pick<Pool, 'query'>): Promise<AuditHead | undefined> {
  const { rows } = await kernel.query<HeadColumns>(`select ${HEAD_COLUMNS} from audit_head`)
  return rows[0] && toHead(rows[0])
}

/** Selects the head and the place of the last chained entry in one snapshot. */
export async function selectAuditEnd(
  kernel: Pick<Pool, 'query'>,
): Promise<{ readonly head: AuditHead | undefined; readonly lastSeq: number }> {
  const { rows } = await kernel.query<HeadColumns & { last_seq: string | null; found: boolean }>(
    `select ${HEAD_COLUMNS}, seq is not null as found, (select max(seq) from audit_log) as last_seq
       from (values (1)) as always left join audit_head on true`,
  )
  const [row] = rows
  return { head: row?.found ? toHead(row) : undefined, lastSeq: Number(row?.last_seq ?? 0) }
}

/** Returns undefined if no entry has that position. */
export async function selectChainPosition(
  kernel: Pick<Pool, 'query'>,
  seq: number,
): Promise<ChainPosition | undefined> {
  const { rows } = await kernel.query<{ chain_mac: string }>(
    `select encode(chain_mac, 'hex') as chain_mac from audit_log where seq = $1`,
    [seq],
  )
  return rows[0] && { seq, chainMac: rows[0].chain_mac }
}

/** Chains entries. The caller must hold the lock of the chain. */
export async function giveAuditPlaces(
  connection: PoolConnection,
  entries: readonly ChainedEntry[],
  head: AuditHead,
): Promise<void> {
  const { rowCount } = await connection.query(
    `update audit_log l set seq = new.seq, chain_key = new.chain_key, chain_mac = decode(new.chain_mac, 'hex')
       from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) as new (entry_id, seq, chain_key, chain_mac)
      where l.entry_id = new.entry_id and l.seq is null`,
    [
      entries.map(({ entryId }) => entryId),
      entries.map(({ seq }) => seq),
      entries.map(({ chainKey }) => chainKey),
      entries.map(({ chainMac }) => chainMac),
    ],
  )
  if (rowCount !== entries.length) throw new Error('an audit entry was gone before it got its place')
  await connection.query(
    `update audit_head set seq = $1, chain_mac = decode($2, 'hex'), mac_key = $3, mac = decode($4, 'hex')`,
    [head.seq, head.chainMac, head.macKey, head.mac],
  )
}

export async function selectChained(
  kernel: Pick<Pool, 'query'>,
  afterSeq: number | undefined,
  limit: number,
): Promise<ChainedEntry[]> {
  const { rows } = await kernel.query<ChainedColumns>(
    `select ${ENTRY_COLUMNS}, seq, chain_key, encode(chain_mac, 'hex') as chain_mac from audit_log
      where seq is not null and ($1::bigint is null or seq > $1) order by seq limit $2`,
    [afterSeq ?? null, limit],
  )
  return rows.map((row) => ({
    ...toEntry(row),
    seq: Number(row.seq),
    chainKey: row.chain_key,
    chainMac: row.chain_mac,
  }))
}

export interface AuditStats extends ChainPosition {
  /** The number of entries that are not chained, counted up to a bound. */
  readonly unchained: number
  readonly oldestUnchainedMs: number | null
}

const COUNTED_TO = 10_000

export async function selectAuditStats(kernel: Pick<Pool, 'query'>): Promise<AuditStats> {
  const { rows } = await kernel.query<{
    seq: string
    chain_mac: string
    unchained: number
    oldest_ms: number | null
  }>({
    name: 'select-audit-figures',
    text: `select h.seq, encode(h.chain_mac, 'hex') as chain_mac, w.unchained,
                  (extract(epoch from now() - w.oldest) * 1000)::float as oldest_ms
             from audit_head h, lateral (
               select count(*)::int as unchained, min(at) as oldest
                 from (select at from audit_log where seq is null order by at, entry_id limit ${COUNTED_TO}) as waiting) w`,
  })
  const [row] = rows
  if (!row) throw new Error('the audit log has no head')
  return {
    seq: Number(row.seq),
    chainMac: row.chain_mac,
    unchained: row.unchained,
    // The entry of a slightly younger transaction has a timestamp in the future.
    oldestUnchainedMs: row.oldest_ms === null ? null : Math.max(0, row.oldest_ms),
  }
}

function toEntry(row: EntryColumns): AuditEntry {
  return {
    entryId: row.entry_id,
    at: row.at,
    action: row.action,
    tier: row.tier,
    actor: row.actor,
    tenantId: row.tenant_id,
    scopeId: row.scope_id,
    subject: row.subject,
    details: row.details,
    macKey: row.mac_key,
    mac: row.mac,
  }
}

function toHead(row: HeadColumns): AuditHead {
  return { seq: Number(row.seq), chainMac: row.chain_mac, macKey: row.mac_key, mac: row.mac }
}

/** Selects the master keys that are needed to continue the chain: the keys of its head and of entries that are not chained yet. */
export async function selectAuditKeys(kernel: Pick<Pool, 'query'>): Promise<string[]> {
  const { rows } = await kernel.query<{ id: string }>(
    `select mac_key as id from audit_head where mac_key is not null
     union select mac_key from audit_log where seq is null order by 1`,
  )
  return rows.map(({ id }) => id)
}
