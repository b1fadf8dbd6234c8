/** A deployment with a tenant and scopes, and load on its ingestion. */
import type { Deployment, DeployedApi } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import type { ClientOrder } from './client.ts'
import { runClient } from './run-client.ts'
import type { LoadResult } from './summary.ts'

export interface IngestStage {
  readonly services: Services
  readonly deployment: Deployment
  readonly api: DeployedApi
  readonly tenantId: string
  readonly key: string
}

export type Load = Pick<ClientOrder, 'bytes' | 'inFlight' | 'warmUpSeconds' | 'seconds' | 'calls'>

const SCOPES = ['measured', 'bare', 'paced']

export async function setUpIngest(services: Services, deployment: Deployment): Promise<IngestStage> {
  await deployment.migrate()
  const tenant = await deployment.concord<{ tenant_id: string; api_key: string }>(
    'tenants',
    'create',
    '--name',
    'B',
  )
  for (const scope of SCOPES)
    await deployment.concord('scopes', 'create', scope, '--tenant', tenant.tenant_id)
  const api = await deployment.startApi({ LOG_LEVEL: 'warn' })
  return { services, deployment, api, tenantId: tenant.tenant_id, key: tenant.api_key }
}

export function ingestOverHttp(
  { services, api, tenantId, key }: IngestStage,
  scopeId: string,
  load: Load,
): Promise<LoadResult> {
  return runClient('http', {
    ...load,
    watch: { API: api.pid, Postgres: services.postgres.pid },
    target: { url: api.url, tenantId, key, scopeId },
  })
}

export function insertBare(
  { services, deployment, tenantId }: IngestStage,
  scopeId: string,
  load: Load,
): Promise<LoadResult> {
  return runClient('bare-insert', {
    ...load,
    watch: { Postgres: services.postgres.pid },
    target: { databaseUrl: services.postgres.url('superuser', deployment.databaseName), tenantId, scopeId },
  })
}
