/** The rows of a scope in the database, asked as its superuser: of every table, also of one that is added tomorrow. */
import { sum } from '../../harness/statistics.ts'
import type { Site } from './site.ts'
import type { ErasureStage } from './stage.ts'

export interface Rows {
  /** How many rows belong to the scope, by table. */
  readonly ofScope: Readonly<Record<string, number>>
  /** Rows of any table in which a word of content stands, as text or as bytes. */
  readonly content: number
  /** The same with ids of documents. */
  readonly ids: number
}

/** The rows of a new scope: it stays, one row in each, with the log's `scope.reset`. */
const OF_THE_SCOPE_ITSELF: ReadonlySet<string> = new Set([
  'scopes',
  'scope_heads',
  'scope_keys',
  'scope_log',
  'scope_convergence',
])

/** Tables that outlive a scope because they tell what was done to it. No content, and no id of a document: those are looked for here as well. */
const OUTLIVES: ReadonlySet<string> = new Set(['audit_log'])

/** The parents alone: what is in a partition is in them. */
const SELECT_TABLES = `
  select c.relname as name,
         exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'scope_id') as "hasScope"
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

export async function countRows(
  { ask, count, tenant }: ErasureStage,
  { scopeId, contentMark, idMark }: Site,
): Promise<Rows> {
  const rows = { ofScope: {} as Record<string, number>, content: 0, ids: 0 }
  for (const { name, hasScope } of await ask<{ name: string; hasScope: boolean }>(SELECT_TABLES)) {
    const textual = `select count(*) from ${name} as line
      where exists (select from unnest($1::text[]) as form where position(form in line::text) > 0)`
    rows.content += await count(textual, [formsOf(contentMark)])
    rows.ids += await count(textual, [formsOf(idMark)])
    if (!hasScope) continue
    const ofScope = `select count(*) from ${name} where tenant_id = $1 and scope_id = $2`
    rows.ofScope[name] = await count(ofScope, [tenant.id, scopeId])
  }
  return rows
}

/** Bytes are shown in hexadecimal where a row is shown as text. */
function formsOf(mark: string): string[] {
  return [mark, Buffer.from(mark).toString('hex')]
}

/** Rows of the scope in the tables that hold what was put into it. */
export function rowsInside({ ofScope }: Rows): number {
  const inside = Object.keys(ofScope).filter(
    (table) => !OF_THE_SCOPE_ITSELF.has(table) && !OUTLIVES.has(table),
  )
  return sum(inside.map((table) => ofScope[table] ?? 0))
}

/** Lists, of the tables that make up the scope itself, those that hold other than one row for it. */
export function oddTables({ ofScope }: Rows): string[] {
  return [...OF_THE_SCOPE_ITSELF].filter((table) => ofScope[table] !== 1)
}
