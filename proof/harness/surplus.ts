/** Lines that one list has more often than another: what is missing, or too much, in lists that must be the same. */

export function surplus(first: readonly string[], second: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of second) left.set(line, (left.get(line) ?? 0) + 1)
  return first.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
