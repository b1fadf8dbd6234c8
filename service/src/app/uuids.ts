/** Formats a fingerprint as a UUID, for ids that are derived from content. */
export function toUuid(fingerprint: Buffer): string {
  const hex = fingerprint.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
