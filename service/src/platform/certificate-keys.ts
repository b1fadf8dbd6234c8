/**
 * The signing keys of certificates: configured keys, or keys derived from the master keys, so that no further secret is
 * needed. The first key signs. All of them are published, so that older certificates can still be verified after a
 * change.
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
