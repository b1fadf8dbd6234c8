import { operations } from '@concord/contract'
import { listCertificates as list } from '../../app/certificates/certificates.ts'
import type { CertificatesDeps } from '../../app/certificates/certificates.ts'
import { toIssuedRecord } from '../certificate-records.ts'
import { toPageRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listCertificates(deps: CertificatesDeps): Route {
  return tenantRoute(operations.listCertificates, async ({ who, params: { scopeId }, query }) => {
    const { limit, cursor } = query
    const page = await list(deps, who, scopeId, { limit, cursor })
    return { status: 200, body: toPageRecord(page, toIssuedRecord) }
  })
}
