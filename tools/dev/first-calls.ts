/** The calls that a newcomer can paste into a second terminal. */
import { join } from 'node:path'
import type { DevKeys } from './profile.ts'

const root = join(import.meta.dirname, '..', '..')

export function describeFirstCalls(url: string, keys: DevKeys): string {
  return `
Concord is running at ${url}
Reference of its API: ${url}/docs

In another terminal:

  export CONCORD_URL=${url}
  export ADMIN_KEY=${keys.adminKey}
  export TENANT_KEY=${keys.tenantKey}
  export TENANT_ID=${keys.tenantId}
  export PATH="${root}/bin:$PATH"

  # the tenant's scopes
  curl -s $CONCORD_URL/api/scopes -H "Authorization: Bearer $TENANT_KEY"

  # two documents that do not agree: a 202 means stored and synced
  curl -s $CONCORD_URL/api/ingest -H "Authorization: Bearer $TENANT_KEY" \\
    -H "X-Tenant-ID: $TENANT_ID" -H 'Content-Type: application/json' \\
    -d '{"scope_id":"${keys.scopeId}","document_id":"report-2025","name":"Annual report",
         "text":"Borealis Ltd had revenue of EUR 12.4m in 2025."}'
  curl -s $CONCORD_URL/api/ingest -H "Authorization: Bearer $TENANT_KEY" \\
    -H "X-Tenant-ID: $TENANT_ID" -H 'Content-Type: application/json' \\
    -d '{"scope_id":"${keys.scopeId}","document_id":"board-memo","name":"Board memo",
         "text":"The revenue of Borealis Ltd in 2025 was EUR 11.9m."}'

  # where they disagree, with both quotes
  curl -s $CONCORD_URL/api/scopes/${keys.scopeId}/contradictions \\
    -H "Authorization: Bearer $TENANT_KEY"

  # where it stands, and what happens in the scope as it happens
  curl -s $CONCORD_URL/api/scopes/${keys.scopeId}/documents \\
    -H "Authorization: Bearer $TENANT_KEY"
  curl -sN "$CONCORD_URL/api/scopes/${keys.scopeId}/events?after=0" \\
    -H "Authorization: Bearer $TENANT_KEY"

  # your own files in a scope of their own, and a report to hand on
  concord scopes create my-case
  concord ingest --scope my-case path/to/your/files/
  concord contradictions list my-case
  concord report my-case --output my-case.html

  # a tenant of its own, with its first key
  curl -s $CONCORD_URL/admin/tenants -H "Authorization: Bearer $ADMIN_KEY" \\
    -H 'Content-Type: application/json' -d '{"name":"Acme"}'

  # the operator's command line
  set -a; . "${root}/.services/dev.env"; set +a
  concord tenants list
  concord contradictions list --tenant ${keys.tenantId} \\
    --scope ${keys.scopeId}
  concord keys create --tier internals

Ctrl-C stops it.
`
}
