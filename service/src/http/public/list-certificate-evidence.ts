import { operations } from '@concord/contract'
import { listEvidence } from '../../app/certificates/certificates.ts'
import type { CertificatesDeps } from '../../app/certificates/certificates.ts'
import { toPageRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listCertificateEvidence(deps: CertificatesDeps): Route {
  return tenantRoute(operations.listCertificateEvidence, async ({ who, params: { scopeId }, query }) => {
    const { limit, cursor } = query
    const page = await listEvidence(deps, who, scopeId, { limit, cursor })
    return { status: 200, body: toPageRecord(page, (leaf) => leaf) }
  })
}
