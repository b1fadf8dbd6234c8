import { operations } from '@concord/contract'
import type { DeclarationDeps } from '../../app/certificates/declarations.ts'
import { openRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listCertificateKeys({ certificateKeys }: Pick<DeclarationDeps, 'certificateKeys'>): Route {
  const keys = certificateKeys.map(({ keyId, publicKeyPem }, place) => ({
    key_id: keyId,
    signs: place === 0,
    public_key: publicKeyPem,
  }))
  return openRoute(operations.listCertificateKeys, () => ({ status: 200, body: { keys } }))
}
