/** Records whose names are a closed list, without losing the names on the way. */

export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets what the caller's type knows.
  return Object.keys(record) as Key[]
}

export function recordOf<Key extends string, Value>(keys: readonly Key[], value: Value): Record<Key, Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the names it was given.
  return Object.fromEntries(keys.map((key) => [key, value])) as Record<Key, Value>
}
