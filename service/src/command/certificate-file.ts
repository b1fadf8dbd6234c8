/** Parses a file of certificates from an untrusted source, and names what is wrong with it. */
import { CertificateBundle } from '@concord/contract'
import type { CertificateBundleRecord } from '@concord/contract'
import { findDifferences } from '../domain/certificate/verification.ts'
import type { Difference } from '../domain/certificate/verification.ts'
import { sha256 } from '../platform/signing.ts'
import type { PublicKey } from '../platform/signing.ts'

export interface Verified {
  /** Undefined if the file has another format. */
  readonly bundle: CertificateBundleRecord | undefined
  readonly differences: readonly Difference[]
}

export interface VerifyOptions {
  readonly keys: readonly PublicKey[]
  readonly partial: boolean
}

export function verifyFile(content: string, { keys, partial }: VerifyOptions): Verified {
  const parsed = CertificateBundle.safeParse(parseJson(content))
  if (!parsed.success) {
    const differences = parsed.error.issues.map(({ path, message }): Difference => {
      const place = path.length === 0 ? 'the file' : `/${path.join('/')}`
      return { part: 'form', certificate: null, message: `${place}: ${message}` }
    })
    return { bundle: undefined, differences }
  }
  const known = new Map(keys.map((key) => [key.keyId, key]))
  const differences = findDifferences(
    {
      hash: sha256,
      isSignedBy: (keyId, message, signature) => known.get(keyId)?.isSigned(message, signature),
      partial,
    },
    parsed.data,
  )
  return { bundle: parsed.data, differences }
}

/** A text that is not JSON is not a bundle. */
function parseJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}
