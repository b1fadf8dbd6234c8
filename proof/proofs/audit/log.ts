/** The audit log as lines: what an export consists of, and how such lines become files and tables again. */
import { writeFile } from 'node:fs/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'

export interface AuditLogEntry {
  readonly kind: 'entry'
  /** Null for one that waits for its place; an export has none of those. */
  readonly seq: number | null
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
  readonly chain_key: string | null
  readonly chain_mac: string | null
}

export interface Head {
  readonly kind: 'head'
  readonly seq: number
  readonly chain_mac: string
  readonly mac_key: string | null
  readonly mac: string | null
}

export interface AuditLog {
  readonly entries: readonly AuditLogEntry[]
  readonly head: Head
}

const NOTHING_BEFORE = { kind: 'start', after: 0, chain_mac: '0'.repeat(64) }

export function parseExport(text: string): AuditLog {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string })
  const entries = lines.filter((line): line is AuditLogEntry => line.kind === 'entry')
  const head = lines.find((line): line is Head => line.kind === 'head')
  if (!head) throw new Error('The export does not say where the log ends.')
  return { entries, head }
}

export async function writeExport(path: string, { entries, head }: AuditLog): Promise<void> {
  const lines = [NOTHING_BEFORE, ...entries, head].map((line) => JSON.stringify(line))
  await writeFile(path, `${lines.join('\n')}\n`)
}

/** The tables of the log, as a superuser reaches them. */
export type AuditTable = ReturnType<typeof openTable>

export function openTable(services: Services, database: string) {
  const run = async <Row>(statement: string, values: unknown[] = []) => {
    const { rows } = await asSuperuser(services, (client) => client.query(statement, values), database)
    return rows as Row[]
  }
  return {
    /** Removes what stands in the way of a superuser. */
    disarm: () =>
      run(`alter table audit_log disable trigger all, drop constraint audit_log_seq_key, drop constraint audit_log_pkey;
           alter table audit_head disable trigger all`),
    /** The tables hold exactly this from now on. */
    async store({ entries, head: { seq, chain_mac, mac_key, mac } }: AuditLog): Promise<void> {
      await run(STORE, [JSON.stringify(entries), seq, chain_mac, mac_key, mac])
    },
    /** Entries that wait for their place. */
    countUnchained: async () => (await run('select from audit_log where seq is null')).length,
    async readHead(): Promise<Head> {
      const [head] = await run<Head>(
        `select 'head' as kind, seq::int, encode(chain_mac, 'hex') as chain_mac, mac_key, encode(mac, 'hex') as mac
           from audit_head`,
      )
      return head ?? Promise.reject(new Error('The log has no head.'))
    },
  }
}

/** In one statement; the tables are disarmed by then. */
const STORE = `
  with gone as (delete from audit_log),
       moved as (update audit_head set seq = $2, chain_mac = decode($3, 'hex'), mac_key = $4, mac = decode($5, 'hex'))
  insert into audit_log
  select entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details::json, mac_key, decode(mac, 'hex'),
         seq, chain_key, decode(chain_mac, 'hex')
    from json_to_recordset($1) as line (entry_id uuid, at timestamptz, action text, tier text, actor text,
         tenant_id uuid, scope_id text, subject text, details text, mac_key text, mac text, seq bigint,
         chain_key text, chain_mac text)`
