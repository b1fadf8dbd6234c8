/** The schema of a database in words that do not change with the version of Postgres. */
import type { Client } from 'pg'

const IN_PUBLIC = `n.nspname = 'public'`

/** Every section is one query that yields finished lines. Partitions are summed up: they all look alike. */
const SECTIONS: readonly { readonly title: string; readonly sql: string }[] = [
  {
    title: 'Tables',
    sql: `select 'table ' || c.relname
               || case c.relpersistence when 'u' then ' unlogged' else '' end
               || coalesce(' partition by ' || pg_get_partkeydef(c.oid), '')
               || case when c.relrowsecurity then ' row-security' else '' end
               || case when c.relforcerowsecurity then ' forced' else '' end
               || case when c.relkind = 'p' then ' partitions ' ||
                    (select count(*) from pg_inherits i where i.inhparent = c.oid) else '' end as line
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where ${IN_PUBLIC} and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`,
  },
  {
    title: 'Columns',
    sql: `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
               || case when l.collname <> 'default' then ' collate ' || l.collname else '' end
               || case when a.attnotnull then ' not null' else '' end
               || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          left join pg_collation l on l.oid = a.attcollation
          left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
         where ${IN_PUBLIC} and c.relkind in ('r', 'p') and not c.relispartition order by c.relname, a.attnum`,
  },
  {
    title: 'Constraints',
    sql: `select c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as line
          from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
         where ${IN_PUBLIC} and not c.relispartition and k.contype <> 'n' and k.conparentid = 0
         order by c.relname, k.conname`,
  },
  {
    title: 'Indexes',
    sql: `select pg_get_indexdef(i.indexrelid) as line
          from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
         where ${IN_PUBLIC} and not c.relispartition order by 1`,
  },
  {
    title: 'Policies',
    sql: `select tablename || ' ' || policyname || ' for ' || lower(cmd) || ' to ' || array_to_string(roles, ', ')
               || coalesce(' using ' || regexp_replace(qual, '\\s+', ' ', 'g'), '')
               || coalesce(' with check ' || regexp_replace(with_check, '\\s+', ' ', 'g'), '') as line
          from pg_policies where schemaname = 'public' order by tablename, policyname`,
  },
  {
    title: 'Grants on tables',
    sql: `select c.relname || ' ' || r.rolname || ' ' || string_agg(lower(g.privilege_type), ', ' order by g.privilege_type) as line
          from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) g join pg_roles r on r.oid = g.grantee
         where ${IN_PUBLIC} and c.relkind in ('r', 'p') and r.rolname <> 'concord_owner'
         group by c.relname, r.rolname order by c.relname, r.rolname`,
  },
  {
    title: 'Grants on columns',
    sql: `select c.relname || ' ' || r.rolname || ' ' || lower(g.privilege_type) || ' ' || string_agg(a.attname, ', ' order by a.attnum) as line
          from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid,
               aclexplode(a.attacl) g join pg_roles r on r.oid = g.grantee
         where ${IN_PUBLIC} group by c.relname, r.rolname, g.privilege_type order by c.relname, r.rolname, g.privilege_type`,
  },
  {
    title: 'Functions',
    sql: `select case p.prokind when 'p' then 'procedure ' when 'a' then 'aggregate ' else 'function ' end || p.proname
               || '(' || pg_get_function_identity_arguments(p.oid) || ')'
               || case when p.prosecdef then ' security definer' else '' end as line
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${IN_PUBLIC} order by p.proname`,
  },
  {
    title: 'Triggers',
    sql: `select pg_get_triggerdef(t.oid) as line
          from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
         where ${IN_PUBLIC} and not c.relispartition and not t.tgisinternal order by 1`,
  },
]

export async function describeSchema(client: Client): Promise<string> {
  const parts: string[] = [
    '-- Written by tools/dump-schema.ts from a freshly migrated database. Do not edit.',
  ]
  for (const { title, sql } of SECTIONS) {
    const { rows } = await client.query<{ line: string }>(sql)
    parts.push('', `-- ${title}`, ...rows.map(({ line }) => line))
  }
  return `${parts.join('\n')}\n`
}
