/**
 * The keys that certificates are signed with: given ones, or derived from the master keys, so that nothing more has to be
 * kept. The first signs. All of them are shown, so that what was signed before a change can still be checked.
 */
import type { MasterKeyBytes } from './config.ts'
import { deriveSeed, signingKeyOf } from './signing.ts'
import type { SigningKey } from './signing.ts'

export function createCertificateKeys(
  masters: readonly MasterKeyBytes[],
  given: readonly Buffer[] = [],
): SigningKey[] {
  return [...given, ...masters.map(({ bytes }) => deriveSeed(bytes, 'certificate'))].map(signingKeyOf)
}
