/** Records whose names are a closed list, without losing the names on the way. */

export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets what the caller's type knows.
  return Object.keys(record) as Key[]
}

export function mapRecord<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  map: (value: From) => To,
): Record<Key, To> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the names it was given.
  return Object.fromEntries(keysOf(record).map((key) => [key, map(record[key])])) as Record<Key, To>
}
