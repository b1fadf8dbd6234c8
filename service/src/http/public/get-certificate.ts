import { operations } from '@concord/contract'
import { getCertificate as get } from '../../app/certificates/certificates.ts'
import type { CertificatesDeps } from '../../app/certificates/certificates.ts'
import { toIssuedRecord } from '../certificate-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getCertificate(deps: CertificatesDeps): Route {
  return tenantRoute(operations.getCertificate, async ({ who, params: { scopeId } }) => ({
    status: 200,
    body: toIssuedRecord(await get(deps, who, scopeId)),
  }))
}
