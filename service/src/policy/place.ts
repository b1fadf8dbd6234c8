/** A position in a text for people: lines and columns from 1, columns in code points. */
export function placeAt(
  text: string,
  offset: number,
  unit: 'bytes' | 'units' = 'units',
): { readonly line: number; readonly column: number } {
  const before =
    unit === 'units' ? text.slice(0, offset) : Buffer.from(text).subarray(0, offset).toString('utf8')
  const lines = before.split('\n')
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 }
}
