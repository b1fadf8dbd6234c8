/** The audit log as lines: what an export consists of, and how such lines become files and tables again. */
import { writeFile } from 'node:fs/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'

export interface Entry {
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
  readonly entries: readonly Entry[]
  readonly head: Head
}

const NOTHING_BEFORE = { kind: 'start', after: 0, chain_mac: '0'.repeat(64) }

export function parseExport(text: string): AuditLog {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string })
  const entries = lines.filter((line): line is Entry => line.kind === 'entry')
  const head = lines.find((line): line is Head => line.kind === 'head')
  if (!head) throw new Error('The export does not say where the log ends.')
  return { entries, head }
}

export async function writeExport(path: string, { entries, head }: AuditLog): Promise<void> {
  const lines = [NOTHING_BEFORE, ...entries, head].map((line) => JSON.stringify(line))
  await writeFile(path, `${lines.join('\n')}\n`)
}

export interface Table {
  readonly services: Services
  readonly databaseName: string
}

/** What stands in the way of a superuser: he takes it away first. */
export async function disarm({ services, databaseName }: Table): Promise<void> {
  const statements = [
    'alter table audit_log disable trigger all',
    'alter table audit_head disable trigger all',
    'alter table audit_log drop constraint audit_log_seq_key',
    'alter table audit_log drop constraint audit_log_pkey',
  ]
  await asSuperuser(
    services,
    async (client) => {
      for (const statement of statements) await client.query(statement)
    },
    databaseName,
  )
}

/** The tables hold exactly this from now on. */
export async function storeLog(
  { services, databaseName }: Table,
  { entries, head }: AuditLog,
): Promise<void> {
  const { seq, chain_mac, mac_key, mac } = head
  await asSuperuser(
    services,
    async (client) => {
      await client.query('begin')
      await client.query('delete from audit_log')
      await client.query(
        `insert into audit_log
         select entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details::json, mac_key, decode(mac, 'hex'),
                seq, chain_key, decode(chain_mac, 'hex')
           from json_to_recordset($1) as line (entry_id uuid, at timestamptz, action text, tier text, actor text,
                tenant_id uuid, scope_id text, subject text, details text, mac_key text, mac text, seq bigint,
                chain_key text, chain_mac text)`,
        [JSON.stringify(entries)],
      )
      await client.query(
        `update audit_head set seq = $1, chain_mac = decode($2, 'hex'), mac_key = $3, mac = decode($4, 'hex')`,
        [seq, chain_mac, mac_key, mac],
      )
      await client.query('commit')
    },
    databaseName,
  )
}
