/** Ids that follow from what they name, written as others are. */
export function toUuid(fingerprint: Buffer): string {
  const hex = fingerprint.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
